// The words of __title__. A word that is missing in French does not compile.

import type { GameWords } from "../../../web/src/game-ui";
import type { Speak, Word as Shared } from "../../../web/src/words";

const en = {
  choose: "Choose a direction. The arrow keys move, Enter stays.",
  UP: "Up",
  DOWN: "Down",
  LEFT: "Left",
  RIGHT: "Right",
  STAY: "Stay",
  "option.numbers": "Numbers of columns and rows",
  coin: "a coin",
  empty: "empty",
  here: "is here",
  coins: "Coins",
};

const fr: { [word in keyof typeof en]: string } = {
  choose: "Choisissez une direction. Les flèches déplacent, Entrée reste sur place.",
  UP: "Haut",
  DOWN: "Bas",
  LEFT: "Gauche",
  RIGHT: "Droite",
  STAY: "Rester",
  "option.numbers": "Numéros des colonnes et des lignes",
  coin: "une pièce",
  empty: "vide",
  here: "est ici",
  coins: "Pièces",
};

export const words = { en, fr } satisfies GameWords;
/** Gives the words of this game, and those all games share. */
export type Words = Speak<keyof typeof en | Shared>;
