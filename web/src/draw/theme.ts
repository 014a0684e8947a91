// Colours. People with colour blindness can distinguish the colours of the players, and each player also has a mark with its own
// shape: no information is in the colour alone.

import { circle, path, rect, type Attributes, type Shape } from "./shape";

export interface Theme {
  dark: boolean;
  /** By seat. */
  players: string[];
  /** Text on the colour of a player. */
  onPlayer: string;
  neutral: string;
  paper: string;
  ink: string;
  faint: string;
  gold: string;
  danger: string;
}

export const LIGHT: Theme = {
  dark: false,
  players: ["#0064a8", "#c34a00", "#00795a", "#a8457f"],
  onPlayer: "#ffffff",
  neutral: "#6b6b74",
  paper: "#fbfaf7",
  ink: "#1d2126",
  faint: "#8b919a",
  gold: "#b07b00",
  danger: "#b3261e",
};

export const DARK: Theme = {
  dark: true,
  players: ["#5ab4f0", "#ff9447", "#3ecf9f", "#e58cc0"],
  onPlayer: "#101418",
  neutral: "#a8a8b3",
  paper: "#14181d",
  ink: "#eceff3",
  faint: "#7d8590",
  gold: "#f2c14e",
  danger: "#ff6b5e",
};

/** The mark of a player: circle, square, triangle, diamond. */
export function mark(seat: number, x: number, y: number, size: number, attributes: Attributes): Shape {
  const r = size / 2;
  switch (seat) {
    case 0:
      return circle(x, y, r, attributes);
    case 1:
      return rect(x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76, attributes);
    case 2:
      return path(`M${x} ${y - r}L${x + r} ${y + r * 0.75}H${x - r}Z`, attributes);
    default:
      return path(`M${x} ${y - r * 1.1}L${x + r * 1.1} ${y}L${x} ${y + r * 1.1}L${x - r * 1.1} ${y}Z`, attributes);
  }
}
