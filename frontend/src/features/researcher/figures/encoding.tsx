import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

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

/** A point of a figure; `title` is its tooltip. */
export function Mark({ x, y, shape, colour, title, opacity = 1 }: { x: number; y: number; shape: Shape; colour: string; title?: string; opacity?: number }) {
  return (
    <g transform={`translate(${String(x)},${String(y)})`} fill={colour} fillOpacity={opacity} className="mark">
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

/** Width of an average character of legends, in px. */
const character = 7;
const legendLine = 20;
/** Space between a figure and its legend, in px. */
const legendGap = 8;

/** The legend as a drawing, for files: a line of networks and a line of stacks, each broken where the width ends. */
export function drawLegend(networks: readonly string[], stacks: readonly string[], words: { network: string; stack: string }, width: number): { height: number; content: ReactNode } {
  const items = (title: string, names: readonly string[], mark: (name: string) => { shape: Shape; colour: string }) => [{ name: title, mark: null }, ...names.map((name) => ({ name, mark: mark(name) }))];
  const lines = [items(words.network, networks, (name) => ({ shape: 'circle', colour: colourOf(networks, name) })), items(words.stack, stacks, (name) => ({ shape: shapeOf(stacks, name), colour: '#55595e' }))];
  const content: ReactNode[] = [];
  let y = legendGap + legendLine / 2;
  for (const line of lines) {
    let x = 0;
    for (const { name, mark } of line) {
      const room = name.length * character + (mark === null ? 10 : 30);
      if (x > 0 && x + room > width) {
        x = 0;
        y += legendLine;
      }
      content.push(
        <g key={`${String(y)} ${name}`} transform={`translate(${String(x)},${String(y)})`}>
          {mark !== null && <Mark x={6} y={0} {...mark} />}
          <text x={mark === null ? 0 : 16} dominantBaseline="middle" className={mark === null ? 'figure__soft' : undefined}>
            {name}
          </text>
        </g>,
      );
      x += room;
    }
    y += legendLine;
  }
  return { height: y - legendLine / 2, content };
}
