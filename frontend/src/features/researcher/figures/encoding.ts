/** Colours that stay apart for colour-blind readers and on white paper. */
const colours = ['#0b5a63', '#b8531a', '#5b4a9e', '#8a6d00', '#a0316b', '#4a6b1f'] as const;
const shapes = ['circle', 'square', 'triangle', 'diamond', 'cross'] as const;
export type Shape = (typeof shapes)[number];

/** The names that occur, in a stable order. */
export function namesOf<T>(rows: readonly T[], nameOf: (row: T) => string): string[] {
  return [...new Set(rows.map(nameOf))].sort((a, b) => a.localeCompare(b, 'en'));
}

export function colourOf(names: readonly string[], name: string): string {
  return colours[Math.max(0, names.indexOf(name)) % colours.length] ?? colours[0];
}

export function shapeOf(names: readonly string[], name: string): Shape {
  return shapes[Math.max(0, names.indexOf(name)) % shapes.length] ?? shapes[0];
}
