// The words of Back Track. A word that is missing in French does not compile.

import type { GameWords } from "../../../web/src/game-ui";
import type { Speak, Word as Shared } from "../../../web/src/words";

const en = {
  choose: "Choose cells for tracks, and a region to disrupt.",
  paintLeft: "Paint left: {paint}",
  disrupt: "Disrupt region",
  noRegion: "none",
  pickRegion: "by clicking",
  "option.links": "Active connections",
  "option.points": "Points they pay",
  "option.wishes": "All wishes",
  "option.instability": "Instability",
  terrain: "{terrain}, a track costs {cost}",
  plains: "plains",
  river: "river",
  mountain: "mountain",
  place_of_interest: "place of interest",
  region: "Region",
  regionState: "{region}, instability {instability} of {threshold}",
  inkedRegion: "{region}, inked",
  town: "Town",
  met: "Connected to",
  unmet: "Wants",
  none: "none",
  neutralTrack: "neutral track",
  track: "track",
  connection: "{from} to {to}",
  pays: "pays {a} : {b} each turn",
  perTurn: "Points each turn",
  tracks: "Tracks",
  connections: "Paying connections",
  sideQuest: "Side quest",
  done: "done",
};

const fr: { [word in keyof typeof en]: string } = {
  choose: "Choisissez des cases pour les rails, et une région à perturber.",
  paintLeft: "Peinture restante : {paint}",
  disrupt: "Perturber la région",
  noRegion: "aucune",
  pickRegion: "d’un clic",
  "option.links": "Liaisons actives",
  "option.points": "Points rapportés",
  "option.wishes": "Tous les souhaits",
  "option.instability": "Instabilité",
  terrain: "{terrain}, un rail coûte {cost}",
  plains: "plaine",
  river: "rivière",
  mountain: "montagne",
  place_of_interest: "lieu d’intérêt",
  region: "Région",
  regionState: "{region}, instabilité {instability} sur {threshold}",
  inkedRegion: "{region}, noircie",
  town: "Ville",
  met: "Reliée à",
  unmet: "Souhaite",
  none: "aucune",
  neutralTrack: "rail neutre",
  track: "rail",
  connection: "{from} vers {to}",
  pays: "rapporte {a} : {b} par tour",
  perTurn: "Points par tour",
  tracks: "Rails",
  connections: "Liaisons payantes",
  sideQuest: "Quête annexe",
  done: "accomplie",
};

export const words = { en, fr } satisfies GameWords;
/** Gives the words of this game, and those all games share. */
export type Words = Speak<keyof typeof en | Shared>;
