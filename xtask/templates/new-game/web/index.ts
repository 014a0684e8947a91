// What Agon's pages know of __title__.

import type { GameUi } from "../../../web/src/game-ui";
import Controls from "./Controls.svelte";
import { scene } from "./scene";
import { words } from "./words";

const ui: GameUi = {
  scene,
  Controls,
  words,
  reasons: {
    "turn-limit": { en: "the last turn was played", fr: "le dernier tour a été joué" },
    "no-coins": { en: "all coins were collected", fr: "toutes les pièces ont été ramassées" },
  },
};

export default ui;
