import { Group } from '@visx/group';
import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';

import type { ComparisonOut } from '../../../shared/api/contract.gen';

interface Look {
  /** "60 %" */
  share: (share: number) => string;
  name: (row: ComparisonOut) => string;
  describe: (row: ComparisonOut) => string;
  noDifference: string;
}

const row = 34;
const bar = 20;
const head = 26;
const foot = 30;
const right = 56;
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Stacked shares: those for a, those who saw no difference, those for b; the interval is that of a's share. */
export function drawComparisons(rows: readonly ComparisonOut[], look: Look, width: number): { height: number; content: ReactNode } {
  const left = width > 620 ? 210 : 118;
  const x = scaleLinear<number>({ domain: [0, 1], range: [left, width - right] });
  const bottom = head + rows.length * row;
  const first = rows[0];
  const content = (
    <>
      {first !== undefined && (
        <>
          <text x={x(0)} y={14} className="figure__a">
            {first.stack_a}
          </text>
          <text x={x(0.5)} y={14} textAnchor="middle" className="figure__soft">
            {look.noDifference}
          </text>
          <text x={x(1)} y={14} textAnchor="end" className="figure__b">
            {first.stack_b}
          </text>
        </>
      )}
      {rows.map((comparison, index) => (
        <Bar key={look.name(comparison)} comparison={comparison} top={head + index * row} look={look} x={x} width={width} />
      ))}
      {ticks.map((tick) => (
        <Group key={tick} left={x(tick)}>
          <line y1={head - 4} y2={bottom} className="figure__grid figure__grid--over" />
          <text y={bottom + 18} textAnchor="middle">
            {look.share(tick)}
          </text>
        </Group>
      ))}
    </>
  );
  return { height: bottom + foot, content };
}

function Bar({ comparison, top, look, x, width }: { comparison: ComparisonOut; top: number; look: Look; x: (share: number) => number; width: number }) {
  const { n, prefer_a, no_difference, ci_low, ci_high } = comparison;
  const middle = top + row / 2;
  const forA = n === 0 ? 0 : prefer_a / n;
  const notForB = n === 0 ? 0 : (prefer_a + no_difference) / n;
  const segment = (from: number, to: number, kind: string) => (
    <rect x={x(from)} width={Math.max(0, x(to) - x(from))} y={middle - bar / 2} height={bar} className={`figure__share figure__share--${kind}`} />
  );
  return (
    <Group>
      <title>{look.describe(comparison)}</title>
      <text x={0} y={middle} dominantBaseline="middle" className="figure__strong">
        {look.name(comparison)}
      </text>
      {n > 0 && (
        <>
          {segment(0, forA, 'a')}
          {segment(forA, notForB, 'none')}
          {segment(notForB, 1, 'b')}
        </>
      )}
      {ci_low !== null && ci_high !== null && (
        <path
          className="figure__whisker"
          d={`M${String(x(ci_low))} ${String(middle - 4)}v8m0-4H${String(x(ci_high))}m0-4v8`}
        />
      )}
      <text x={width} y={middle} textAnchor="end" dominantBaseline="middle" className="figure__soft">
        n = {n}
      </text>
    </Group>
  );
}
