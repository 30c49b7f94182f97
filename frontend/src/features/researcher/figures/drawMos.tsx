import { Group } from '@visx/group';
import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';

import type { MosOut } from '../../../shared/api/contract.gen';
import { Mark, type Shape } from './encoding';

interface Look {
  colour: string;
  shapeOf: (stack: string) => Shape;
  /** The seven points of the scale, from 1. */
  labels: readonly string[];
  /** "4.20 [3.80, 4.60]" */
  describe: (row: MosOut) => string;
  /** Contexts are told apart only where there are several. */
  showContext: boolean;
  /** The axis title. */
  axis: string;
  /** What the arrow at the end of an interval means. */
  cut: string;
}

const ends = { low: 1, high: 7 } as const;

const line = 22;
const gap = 14;
const foot = 66;
/** More, where intervals are cut. */
const note = 18;
const right = 56;

/** Groups rows that share site and context, in order. */
export function groupRows(rows: readonly MosOut[]): { site: string; context: string; rows: MosOut[] }[] {
  const groups = new Map<string, { site: string; context: string; rows: MosOut[] }>();
  const sorted = [...rows].sort((a, b) => a.site.localeCompare(b.site, 'en') || a.context.localeCompare(b.context, 'en') || a.stack.localeCompare(b.stack, 'en'));
  for (const row of sorted) {
    const key = `${row.site}\n${row.context}`;
    const group = groups.get(key) ?? { site: row.site, context: row.context, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Whether an interval ends where the scale does, on each side; an interval of no width is not cut. */
export function cutOf({ mos, ci_low, ci_high }: MosOut): { low: boolean; high: boolean } {
  return { low: ci_low !== null && ci_low <= ends.low && mos > ends.low, high: ci_high !== null && ci_high >= ends.high && mos < ends.high };
}

/** A dot plot: one line per stack, the mean with its interval on the seven-point scale. */
export function drawMos(rows: readonly MosOut[], look: Look, width: number): { height: number; content: ReactNode } {
  const groups = groupRows(rows);
  const wide = width > 620;
  const left = wide ? 210 : 72;
  const scale = scaleLinear<number>({ domain: [ends.low, ends.high], range: [left + 8, width - right] });
  let y = wide ? 8 : 20;
  const body: ReactNode[] = [];
  for (const group of groups) {
    const name = look.showContext ? `${group.site}, ${group.context}` : group.site;
    // on a narrow page, the site stands above its stacks
    if (!wide) y += 6;
    body.push(
      <text key={`${name} name`} x={0} y={wide ? y + line / 2 : y - 8} dominantBaseline="middle" className="figure__strong">
        {name}
      </text>,
    );
    for (const row of group.rows) {
      body.push(<MosLine key={`${name} ${row.stack}`} row={row} y={y + line / 2} left={left} end={width} look={look} x={scale} />);
      y += line;
    }
    y += wide ? gap : gap + 12;
  }
  const bottom = y - gap / 2;
  const anyCut = rows.some((row) => cutOf(row).low || cutOf(row).high);
  const spelled = (width - left - right) / 6 > 84;
  const content = (
    <>
      {look.labels.map((label, index) => {
        const at = scale(index + 1);
        const edge = index === 0 || index === look.labels.length - 1;
        return (
          <Group key={label} left={at}>
            <line y1={0} y2={bottom} className="figure__grid" />
            <text y={bottom + 18} textAnchor="middle">
              {index + 1}
            </text>
            {(spelled || edge) && (
              <text y={bottom + 36} textAnchor={spelled || index === 0 ? 'middle' : 'end'} x={spelled || index === 0 ? 0 : right - 4} className="figure__soft">
                {label}
              </text>
            )}
          </Group>
        );
      })}
      {body}
      <text x={(scale(ends.low) + scale(ends.high)) / 2} y={bottom + 56} textAnchor="middle" className="figure__soft">
        {look.axis}
      </text>
      {anyCut && (
        <Group top={bottom + 71}>
          <Cut x={scale(ends.low)} y={-1} side="high" colour={look.colour} />
          <text x={scale(ends.low) + 12} dominantBaseline="middle" className="figure__soft">
            {look.cut}
          </text>
        </Group>
      )}
    </>
  );
  return { height: bottom + foot + (anyCut ? note : 0), content };
}

interface LineProps {
  row: MosOut;
  y: number;
  left: number;
  end: number;
  look: Look;
  x: (value: number) => number;
}

/** An arrow: the interval continues beyond the scale. */
function Cut({ x, y, side, colour }: { x: number; y: number; side: 'low' | 'high'; colour: string }) {
  const way = side === 'high' ? 1 : -1;
  return <path d={`M${String(x)} ${String(y - 5)}l${String(6 * way)} 5l${String(-6 * way)} 5z`} fill={colour} data-cut={side} />;
}

function MosLine({ row, y, left, end, look, x }: LineProps) {
  return (
    <Group>
      <text x={left - 10} y={y} textAnchor="end" dominantBaseline="middle">
        {row.stack}
      </text>
      {row.ci_low !== null && row.ci_high !== null && (
        <line x1={x(row.ci_low)} x2={x(row.ci_high)} y1={y} y2={y} stroke={look.colour} className="figure__interval" />
      )}
      {cutOf(row).low && <Cut x={x(ends.low)} y={y} side="low" colour={look.colour} />}
      {cutOf(row).high && <Cut x={x(ends.high)} y={y} side="high" colour={look.colour} />}
      <Mark x={x(row.mos)} y={y} shape={look.shapeOf(row.stack)} colour={look.colour} title={look.describe(row)} />
      <text x={end} y={y} textAnchor="end" dominantBaseline="middle" className="figure__soft">
        n = {row.n}
      </text>
    </Group>
  );
}
