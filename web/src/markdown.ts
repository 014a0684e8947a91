// Parses the Markdown of the statements: headings, lists, tables, code, emphasis. The result is plain data, which the page inserts
// as text: no markup in it can become an element.

export interface Piece {
  kind: "text" | "code" | "strong" | "em" | "link" | "image";
  text: string;
  /** The target of a link: a path of the same site, an anchor, or an https address; or the address of an image of the same site. */
  to?: string;
}

export type Block =
  | { kind: "heading"; level: number; pieces: Piece[]; id: string }
  | { kind: "paragraph"; pieces: Piece[] }
  | { kind: "list"; ordered: boolean; items: { pieces: Piece[]; depth: number }[] }
  | { kind: "code"; text: string }
  /** A picture with its text for pages that cannot draw it. */
  | { kind: "picture"; name: string; about: string; text: string }
  | { kind: "table"; head: Piece[][]; rows: Piece[][][] }
  | { kind: "quote"; pieces: Piece[] };

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|!\[([^\]]*)\]\(([^)\s]+)\)|\[([^\]]+)\]\(([^)\s]+)\)/g;
/** Images of the same site: uploaded ones, and pictures of matches. */
const IMAGE = /^\/api\/v1\/(pictures\/[0-9a-f]{64}|matches\/\d+\/picture\.png(\?[\w=&]*)?)$/;

export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) found.push({ kind: "text", text: text.slice(from, match.index) });
    const [, code, strong, em, about, image, label, to] = match;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push(...within("strong", strong));
    else if (em !== undefined) found.push(...within("em", em));
    else if (image !== undefined) found.push(IMAGE.test(image) ? { kind: "image", text: about!, to: image } : { kind: "text", text: about! });
    else if (to !== undefined && /^(https:\/\/|\/(?!\/)|#)/.test(to)) found.push({ kind: "link", text: label!, to });
    else found.push({ kind: "text", text: label! });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}

/** The pieces of an emphasised text, which may contain code. */
const within = (kind: "strong" | "em", text: string) => pieces(text).map((piece): Piece => (piece.kind === "text" ? { ...piece, kind } : piece));

// A bar in code does not end a cell.
const cells = (line: string) => (line.replace(/^\s*\|/, "").replace(/\|\s*$/, "").match(/(?:`[^`]*`|[^|])*(?:\||$)/g) ?? []).slice(0, -1).map((cell) => pieces(cell.replace(/\|$/, "").trim()));
const slug = (text: string) => text.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  const lines = text.replace(/\r/g, "").split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^(\s*)(?:[-*]|(\d+)[.)])\s+(.*)$/.exec(line);
    if (line.startsWith("```")) {
      const end = lines.indexOf("```", at + 1);
      const last = end < 0 ? lines.length : end;
      const inside = lines.slice(at + 1, last).join("\n");
      const picture = /^```picture ([\w-]+)\s*(.*)$/.exec(line);
      found.push(picture ? { kind: "picture", name: picture[1]!, about: picture[2]!, text: inside } : { kind: "code", text: inside });
      at = last;
    } else if (heading) {
      found.push({ kind: "heading", level: heading[1]!.length, pieces: pieces(heading[2]!), id: slug(heading[2]!) });
    } else if (line.trimStart().startsWith("|")) {
      const rows: string[] = [];
      while (at < lines.length && lines[at]!.trimStart().startsWith("|")) rows.push(lines[at++]!);
      at--;
      const ruled = rows[1] !== undefined && /^[\s|:-]+$/.test(rows[1]);
      found.push({ kind: "table", head: ruled ? cells(rows[0]!) : [], rows: rows.slice(ruled ? 2 : 0).map(cells) });
    } else if (item) {
      let list = found.at(-1);
      const ordered = item[2] !== undefined;
      if (list?.kind !== "list" || lines[at - 1] === "" && list.ordered !== ordered) found.push((list = { kind: "list", ordered, items: [] }));
      let whole = item[3]!;
      while (/^\s+\S/.test(lines[at + 1] ?? "") && !/^\s*(?:[-*]|\d+[.)])\s/.test(lines[at + 1]!)) whole += ` ${lines[++at]!.trim()}`;
      list.items.push({ pieces: pieces(whole), depth: Math.min(3, Math.floor(item[1]!.length / 2)) });
    } else if (line.startsWith(">")) {
      let whole = line.slice(1).trim();
      while (lines[at + 1]?.startsWith(">")) whole += ` ${lines[++at]!.slice(1).trim()}`;
      found.push({ kind: "quote", pieces: pieces(whole) });
    } else if (line.trim()) {
      let whole = line.trim();
      while (lines[at + 1]?.trim() && !/^(#{1,6}\s|```|>|\s*\||\s*(?:[-*]|\d+[.)])\s)/.test(lines[at + 1]!)) whole += ` ${lines[++at]!.trim()}`;
      found.push({ kind: "paragraph", pieces: pieces(whole) });
    }
  }
  return found;
}
