// What Agon's pages know of Ocean of Code.

import type { GameUi } from "../../../web/src/game-ui";
import Controls from "./Controls.svelte";
import { pictures } from "./pictures";
import { scene } from "./scene";
import { words } from "./words";

const ui: GameUi = {
  scene,
  Controls,
  words,
  pictures,
  cues: { torpedo: "launch", explosion: "boom", sonar: "ping", surfaced: "splash" },
  reasons: {
    "zero-lives": { en: "a submarine was sunk", fr: "un sous-marin a coulé" },
    "turn-limit": { en: "the last turn was played", fr: "le dernier tour a été joué" },
    "frame-limit": { en: "the last turn was played", fr: "le dernier tour a été joué" },
  },
};

export default ui;
