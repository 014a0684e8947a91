// The words of Hypersonic. A word that is missing in French does not compile.

import type { GameWords } from "../../../web/src/game-ui";
import type { Speak, Word as Shared } from "../../../web/src/words";

const en = {
  choose: "Choose where to go. B lays a bomb where you stand.",
  withBomb: "Lay a bomb",
  "option.danger": "Cells that will burn",
  "option.contents": "What boxes hold",
  wall: "wall",
  floor: "floor",
  box: "box with {item}",
  item: "item: {item}",
  nothing: "nothing",
  extraRange: "an extra range",
  extraBomb: "an extra bomb",
  bomber: "range {range}, {bombs} bombs to lay",
  fallen: "was eliminated here",
  bomb: "bomb, goes off in {due} (its own fuse: {fuse}), range {range}",
  burnsIn: "burns in {due}",
  boxes: "Boxes",
  bombs: "Bombs",
  range: "Range",
  eliminated: "Eliminated in turn",
  "sign.range": "extra range",
  "sign.bomb": "extra bomb",
  "sign.lit": "turns until a bomb goes off; an arrow: another bomb sets it off",
  "sign.danger": "cells that will burn",
  "feature.boxes": "Boxes",
  "feature.boxes with an item": "Boxes with an item",
};

const fr: { [word in keyof typeof en]: string } = {
  choose: "Choisissez où aller. B pose une bombe sous vos pieds.",
  withBomb: "Poser une bombe",
  "option.danger": "Cases qui vont brûler",
  "option.contents": "Contenu des caisses",
  wall: "mur",
  floor: "sol",
  box: "caisse avec {item}",
  item: "objet : {item}",
  nothing: "rien",
  extraRange: "une portée de plus",
  extraBomb: "une bombe de plus",
  bomber: "portée {range}, {bombs} bombes à poser",
  fallen: "a été éliminé ici",
  bomb: "bombe, explose dans {due} (sa propre mèche : {fuse}), portée {range}",
  burnsIn: "brûle dans {due}",
  boxes: "Caisses",
  bombs: "Bombes",
  range: "Portée",
  eliminated: "Éliminé au tour",
  "sign.range": "portée de plus",
  "sign.bomb": "bombe de plus",
  "sign.lit": "tours avant l’explosion ; une flèche : une autre bombe la déclenche",
  "sign.danger": "cases qui vont brûler",
  "feature.boxes": "Caisses",
  "feature.boxes with an item": "Caisses avec un objet",
};

export const words = { en, fr } satisfies GameWords;
/** Gives the words of this game, and those all games share. */
export type Words = Speak<keyof typeof en | Shared>;
