// Why a match ended, in words. The names are those of the official referees.

import type { Lang } from "./words";

const REASONS: { [name: string]: readonly [english: string, french: string] } = {
  "disqualified": ["a player was disqualified", "un joueur a été disqualifié"],
  // Ocean of Code.
  "zero-lives": ["a submarine was sunk", "un sous-marin a coulé"],
  "turn-limit": ["the last turn was played", "le dernier tour a été joué"],
  "frame-limit": ["the last turn was played", "le dernier tour a été joué"],
  // Hypersonic.
  "no-progress": ["nothing happened for too long", "rien ne s’est passé trop longtemps"],
  "boxes-countdown": ["all boxes were gone", "il n’y avait plus de caisses"],
  "boxes-cleared": ["all boxes were gone", "il n’y avait plus de caisses"],
  "last-standing": ["only one was left standing", "il n’en restait qu’un debout"],
  "max-rounds": ["the last round was played", "le dernier tour a été joué"],
  // Back Track.
  "objective": ["the aim of the league was decided", "l’objectif de la ligue s’est décidé"],
  "no-connection-possible": ["no connection was possible any more", "plus aucune liaison n’était possible"],
  "max-turns": ["the last turn was played", "le dernier tour a été joué"],
};

/** A reason in a language; one without words as it came, made readable. */
export function why(reason: string, lang: Lang): string {
  const name = reason.replaceAll("_", "-");
  const found = Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
  return found?.[lang === "fr" ? 1 : 0] ?? name.replaceAll("-", " ");
}
