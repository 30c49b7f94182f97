import { Group } from '@visx/group';
import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';

import type { EffectOut } from '../../../shared/api/contract.gen';
import { Mark } from './encoding';

interface Look {
  colour: string;
  /** "DSL", or "all networks" */
  name: (row: EffectOut) => string;
  /** "+0.42 [+0.11, +0.73]" */
  describe: (row: EffectOut) => string;
  tick: (value: number) => string;
  /** What a negative and a positive effect mean. */
  ends: readonly [string, string];
}

const line = 30;
const head = 10;
const foot = 48;
const right = 16;

/** The largest absolute value that has to be seen: of intervals and margin. */
export function reach(rows: readonly EffectOut[]): number {
  return Math.max(...rows.flatMap((row) => [row.estimate, row.ci_low ?? 0, row.ci_high ?? 0, row.margin ?? 0].map(Math.abs)), 1e-9);
}

/** Effects with both intervals, thick for equivalence and thin for difference, over the band between the margins. */
export function drawEffects(rows: readonly EffectOut[], look: Look, width: number): { height: number; content: ReactNode } {
  const left = width > 620 ? 130 : 84;
  const most = reach(rows) * 1.05;
  const x = scaleLinear<number>({ domain: [-most, most], range: [left, width - right] });
  const bottom = head + rows.length * line;
  const margin = rows[0]?.margin ?? null;
  // one below the other where both do not fit into a line
  const stacked = width < 480;
  const content = (
    <>
      {margin !== null && <rect x={x(-margin)} y={0} width={x(margin) - x(-margin)} height={bottom} className="figure__band" />}
      {x.ticks(width > 620 ? 7 : 3).map((value) => (
        <Group key={value} left={x(value)}>
          <line y1={0} y2={bottom} className={value === 0 ? 'figure__zero' : 'figure__grid'} />
          <text y={bottom + 18} textAnchor="middle">
            {look.tick(value)}
          </text>
        </Group>
      ))}
      <text x={left} y={bottom + 38} className="figure__soft">
        ← {look.ends[0]}
      </text>
      <text x={width - right} y={bottom + (stacked ? 56 : 38)} textAnchor="end" className="figure__soft">
        {look.ends[1]} →
      </text>
      {rows.map((row, index) => (
        <EffectLine key={row.network} row={row} y={head + (index + 0.5) * line} look={look} x={x} />
      ))}
    </>
  );
  return { height: bottom + foot + (stacked ? 18 : 0), content };
}

function EffectLine({ row, y, look, x }: { row: EffectOut; y: number; look: Look; x: (value: number) => number }) {
  return (
    <Group>
      <text x={0} y={y} dominantBaseline="middle" className="figure__strong">
        {look.name(row)}
      </text>
      {row.ci_low !== null && row.ci_high !== null && <line x1={x(row.ci_low)} x2={x(row.ci_high)} y1={y} y2={y} stroke={look.colour} className="figure__whisker" />}
      {row.inner_low !== null && row.inner_high !== null && (
        <line x1={x(row.inner_low)} x2={x(row.inner_high)} y1={y} y2={y} stroke={look.colour} className="figure__interval figure__interval--inner" />
      )}
      <Mark x={x(row.estimate)} y={y} shape="circle" colour={look.colour} title={look.describe(row)} />
    </Group>
  );
}
