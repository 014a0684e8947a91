// The games, found by their folders.

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const FOLDER = resolve(import.meta.dirname, "../../games");

export const GAMES = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, "web/index.ts"))).sort();
/** A file in the folder of a game. */
export const inGame = (game: string, ...path: string[]) => join(FOLDER, game, ...path);
