// A picture as plain data. The same data becomes elements of the page and the text of an exported file. No game is known here.

export type Attributes = { [name: string]: string | number | undefined };

export interface Shape {
  tag: string;
  attributes: Attributes;
  children: Shape[];
}

export function shape(tag: string, attributes: Attributes = {}, children: Shape[] = []): Shape {
  return { tag, attributes, children };
}

export const group = (children: Shape[], attributes: Attributes = {}) => shape("g", attributes, children);
export const path = (d: string, attributes: Attributes) => shape("path", { d, ...attributes });
export const circle = (cx: number, cy: number, r: number, attributes: Attributes) =>
  shape("circle", { cx, cy, r, ...attributes });
export const rect = (x: number, y: number, width: number, height: number, attributes: Attributes) =>
  shape("rect", { x, y, width, height, ...attributes });
export const line = (x1: number, y1: number, x2: number, y2: number, attributes: Attributes) =>
  shape("line", { x1, y1, x2, y2, ...attributes });

/** A frame around the board that hides shapes beyond its edge. */
export const passepartout = (width: number, height: number, frame: number, fill: string) =>
  path(`M0 0H${width}V${height}H0ZM${frame} ${frame}V${height - frame}H${width - frame}V${frame}Z`, { fill });

/** A number with at most two decimals, which is enough for every screen. */
export function short(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
}

/** A path with short numbers. */
export function d(strings: TemplateStringsArray, ...values: number[]): string {
  return strings.reduce((text, part, i) => text + part + (i < values.length ? short(values[i]!) : ""), "");
}

const ESCAPES: { [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The picture as the text of a file. */
export function toText(shape: Shape): string {
  let text = `<${shape.tag}`;
  for (const [name, value] of Object.entries(shape.attributes)) {
    if (value !== undefined) {
      text += ` ${name}="${short(value).replace(/[&<>"]/g, (c) => ESCAPES[c]!)}"`;
    }
  }
  return shape.children.length ? `${text}>${shape.children.map(toText).join("")}</${shape.tag}>` : `${text}/>`;
}

const SVG = "http://www.w3.org/2000/svg";

function make(shape: Shape): SVGElement {
  const element = document.createElementNS(SVG, shape.tag);
  for (const [name, value] of Object.entries(shape.attributes)) {
    if (value !== undefined) element.setAttribute(name, short(value));
  }
  for (const child of shape.children) element.appendChild(make(child));
  return element;
}

/** Changes the children of an element from one list of shapes to another, changing only what differs. */
export function patch(parent: Element, before: Shape[], after: Shape[]): void {
  for (let i = parent.childNodes.length - 1; i >= after.length; i--) parent.childNodes[i]!.remove();
  for (let i = 0; i < after.length; i++) {
    const [old, now] = [before[i], after[i]!];
    const element = parent.childNodes[i] as Element | undefined;
    if (old === now && element) continue;
    if (!old || !element || old.tag !== now.tag) {
      const made = make(now);
      if (element) parent.replaceChild(made, element);
      else parent.appendChild(made);
      continue;
    }
    for (const name in now.attributes) {
      const value = now.attributes[name];
      if (old.attributes[name] === value) continue;
      if (value === undefined) element.removeAttribute(name);
      else element.setAttribute(name, short(value));
    }
    for (const name in old.attributes) {
      if (!(name in now.attributes)) element.removeAttribute(name);
    }
    patch(element, old.children, now.children);
  }
}
