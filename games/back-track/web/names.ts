// Names for towns, by id. The rules know towns by their ids alone; the names are for people who watch.

const NAMES = [
  "Arden", "Brume", "Corvo", "Dalby", "Elmar", "Fenn", "Gorse", "Halm", "Ister", "Jura", "Kestrel", "Lorne", "Moss", "Nord", "Olive", "Pellow", "Quill", "Ravel",
  "Sable", "Thorn", "Ursel", "Vesper", "Wick", "Yarrow", "Zell",
];

export const nameOf = (town: number): string => NAMES[town % NAMES.length]! + (town < NAMES.length ? "" : ` ${Math.floor(town / NAMES.length) + 1}`);
