import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';

import type { GroupOut, RuleOut, StepOut } from '../../../shared/api/contract.gen';

export interface Bar {
  key: string;
  label: string;
  count: number;
  /** `unasked`: a rule that the study does not ask; `end`: what the funnel comes to; `aside`: counted beside it. */
  kind: 'step' | 'unasked' | 'end' | 'aside';
}

const bar = 16;
const right = 44;
/** Where the words stand beside their bars; in less, they stand above them. */
const wide = { least: 620, row: 26, left: 250, lift: 0 };
const narrow = { row: 48, left: 0, lift: 22 };

/** From those who began to those who are used, then those who are accepted, in the order in which rules are asked. */
export function barsOf(group: GroupOut, labelOf: (key: string) => string, rules: readonly RuleOut[]): Bar[] {
  const step = (key: string, count: number, kind: Bar['kind'] = 'step'): Bar => ({ key, label: labelOf(key), count, kind });
  return [
    step('started', group.started),
    step('completed', group.completed),
    ...group.steps.map((one) => step(one.rule, one.left, isUnasked(rules.find(({ rule }) => rule === one.rule), one) ? 'unasked' : 'step')),
    step('used', group.used, 'end'),
    step('accepted', group.accepted, 'aside'),
  ];
}

/** Whether nobody can break the rule in this study, and nobody did. */
export const isUnasked = (rule: RuleOut | undefined, step: StepOut | undefined): boolean => rule?.asked === false && step?.broken === 0;

/** One bar per step, all from the same zero; `unasked` stands for the bar of a rule that the study does not ask. */
export function drawFunnel(bars: readonly Bar[], width: number, unasked: string): { height: number; content: ReactNode } {
  const { row, left, lift } = width > wide.least ? wide : narrow;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const x = scaleLinear<number>({ domain: [0, most], range: [left, width - right] });
  const content = bars.map(({ key, label, count, kind }, index) => {
    const middle = index * row + (row + lift) / 2;
    return (
      <g key={key}>
        <text x={0} y={middle - lift} dominantBaseline="middle" className={kind === 'step' || kind === 'unasked' ? undefined : 'figure__strong'}>
          {label}
        </text>
        {kind !== 'unasked' && <rect x={left} y={middle - bar / 2} width={x(count) - left} height={bar} className={`figure__bar figure__bar--${kind}`} />}
        <text x={kind === 'unasked' ? left : x(count) + 8} y={middle} dominantBaseline="middle" className="figure__soft">
          {kind === 'unasked' ? unasked : count}
        </text>
      </g>
    );
  });
  return { height: bars.length * row, content };
}
