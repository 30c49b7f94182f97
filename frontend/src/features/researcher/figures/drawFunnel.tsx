import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';

import type { GroupOut } from '../../../shared/api/contract.gen';

export interface Bar {
  key: string;
  label: string;
  count: number;
  /** `end`: what the funnel comes to; `aside`: counted beside it. */
  kind: 'step' | 'end' | 'aside';
}

const bar = 16;
const right = 44;
/** Where the words stand beside their bars; in less, they stand above them. */
const wide = { least: 620, row: 26, left: 250, lift: 0 };
const narrow = { row: 48, left: 0, lift: 22 };

/** From those who began to those who are used, then those who are accepted, in the order in which rules are asked. */
export function barsOf(group: GroupOut, labelOf: (key: string) => string): Bar[] {
  const step = (key: string, count: number, kind: Bar['kind'] = 'step'): Bar => ({ key, label: labelOf(key), count, kind });
  return [
    step('started', group.started),
    step('completed', group.completed),
    ...group.steps.map(({ rule, left }) => step(rule, left)),
    step('used', group.used, 'end'),
    step('accepted', group.accepted, 'aside'),
  ];
}

/** One bar per step, all from the same zero. */
export function drawFunnel(bars: readonly Bar[], width: number): { height: number; content: ReactNode } {
  const { row, left, lift } = width > wide.least ? wide : narrow;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const x = scaleLinear<number>({ domain: [0, most], range: [left, width - right] });
  const content = bars.map(({ key, label, count, kind }, index) => {
    const middle = index * row + (row + lift) / 2;
    return (
      <g key={key}>
        <text x={0} y={middle - lift} dominantBaseline="middle" className={kind === 'step' ? undefined : 'figure__strong'}>
          {label}
        </text>
        <rect x={left} y={middle - bar / 2} width={x(count) - left} height={bar} className={`figure__bar figure__bar--${kind}`} />
        <text x={x(count) + 8} y={middle} dominantBaseline="middle" className="figure__soft">
          {count}
        </text>
      </g>
    );
  });
  return { height: bars.length * row, content };
}
