import { Trans } from '@lingui/react/macro';

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

const paths: Record<Exclude<Shape, 'circle'>, string> = {
  square: 'M-4.5-4.5h9v9h-9z',
  triangle: 'M0-5.8L5.4 4.2H-5.4z',
  diamond: 'M0-6L6 0 0 6-6 0z',
  cross: 'M-5-1.7h3.3V-5h3.4v3.3H5v3.4H1.7V5h-3.4V1.7H-5z',
};

/** A point of a figure; `title` is what hovering over it tells. */
export function Mark({ x, y, shape, colour, title }: { x: number; y: number; shape: Shape; colour: string; title?: string }) {
  return (
    <g transform={`translate(${String(x)},${String(y)})`} fill={colour} className="mark">
      {title !== undefined && <title>{title}</title>}
      {shape === 'circle' ? <circle r={5} /> : <path d={paths[shape]} />}
    </g>
  );
}

/** Colour is the network, shape the stack. */
export function Legend({ networks, stacks }: { networks: readonly string[]; stacks: readonly string[] }) {
  return (
    <div className="legend">
      <span>
        <Trans>Network:</Trans>
      </span>
      {networks.map((network) => (
        <span key={network} className="legend__item">
          <svg width="14" height="14" aria-hidden="true">
            <Mark x={7} y={7} shape="circle" colour={colourOf(networks, network)} />
          </svg>
          {network}
        </span>
      ))}
      <span>
        <Trans>Stack:</Trans>
      </span>
      {stacks.map((stack) => (
        <span key={stack} className="legend__item">
          <svg width="14" height="14" aria-hidden="true">
            <Mark x={7} y={7} shape={shapeOf(stacks, stack)} colour="#55595e" />
          </svg>
          {stack}
        </span>
      ))}
    </div>
  );
}
