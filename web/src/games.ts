// The games, found by their folders. This is the only module that knows where they are; the renderer looks for the scenes alone.

import { byGame, type GameUi } from "./game-ui";
import { speak, type Lang, type Speak } from "./words";

export const GAMES = byGame(import.meta.glob<GameUi>("../../games/*/web/index.ts", { eager: true, import: "default" }));

export function uiOf(game: string): GameUi {
  const ui = GAMES.get(game);
  if (!ui) throw new Error(`this page does not know the game ${game}`);
  return ui;
}

/** The words of a game, and those all games share. */
export const wordsOf = (game: string, lang: Lang): Speak<string> => speak(lang, uiOf(game).words);

/** Why a match ended, in a language; a reason without words is made readable. */
export function why(game: string, reason: string, lang: Lang): string {
  const name = reason.replaceAll("_", "-");
  const reasons = { ...SHARED_REASONS, ...GAMES.get(game)?.reasons };
  return Object.hasOwn(reasons, name) ? reasons[name]![lang] : name.replaceAll("-", " ");
}

const SHARED_REASONS: GameUi["reasons"] = {
  disqualified: { en: "a player was disqualified", fr: "un joueur a été disqualifié" },
};
