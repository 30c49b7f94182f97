import type { Shape } from './encoding';

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
