// What Agon's pages know of Back Track.

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
  cues: { placed: "tick", connected: "chime", disrupted: "rumble", inked: "splash" },
  reasons: {
    objective: { en: "the objective of the league was reached", fr: "l’objectif de la ligue a été atteint" },
    "no-connection-possible": { en: "no connection was possible any more", fr: "plus aucune liaison n’était possible" },
    "max-turns": { en: "the last turn was played", fr: "le dernier tour a été joué" },
  },
  chart: "score",
  sideQuest: {
    en: "Link a place of interest to a town, once in a match: this is how often each active bot did, on average over its rated matches. It changes neither points nor winner.",
    fr: "Relier un lieu d’intérêt à une ville, une fois par partie : voici combien de fois chaque bot actif y parvient, en moyenne sur ses matchs classés. Cela ne change ni les points ni le vainqueur.",
  },
};

export default ui;
