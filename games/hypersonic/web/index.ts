// What Agon's pages know of Hypersonic.

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
  cues: { explosion: "boom", eliminated: "fall", item_taken: "chime", bomb: "tick" },
  reasons: {
    "no-progress": { en: "nothing happened for too long", fr: "il ne s’est rien passé pendant trop longtemps" },
    "boxes-countdown": { en: "all boxes were gone", fr: "il n’y avait plus de caisses" },
    "boxes-cleared": { en: "all boxes were gone", fr: "il n’y avait plus de caisses" },
    "last-standing": { en: "at most one player was left", fr: "il restait au plus un joueur" },
    "max-rounds": { en: "the last turn was played", fr: "le dernier tour a été joué" },
  },
};

export default ui;
