// Names of built-in bots: `champion:3` is a level of the champion, other names are bots of the ladder.

export const isLevel = (name: string): boolean => name.includes(":");

export const levelOf = (name: string): string => name.split(":")[1] ?? "";
