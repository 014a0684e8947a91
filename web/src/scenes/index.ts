// The scenes by the name of their game.

import type { Scene } from "../scene";
import type { GameName } from "../wire";
import { backTrack } from "./back-track/scene";
import { hypersonic } from "./hypersonic/scene";
import { oceanOfCode } from "./ocean-of-code/scene";

export const SCENES: { [game in GameName]: Scene } = {
  "back-track": backTrack,
  hypersonic,
  "ocean-of-code": oceanOfCode,
};
