import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { GroupOut, RuleOut } from '../../../shared/api/contract.gen';
import { barsOf, drawFunnel } from './drawFunnel';

const group: GroupOut = {
  group: 'crowd',
  started: 20,
  completed: 10,
  waiting: 0,
  otherwise: {},
  steps: [
    { rule: 'R1', broken: 1, unknown: 0, left: 9 },
    { rule: 'R2', broken: 5, unknown: 2, left: 5 },
  ],
  used: 5,
  accepted: 8,
  skipped: 0,
};

describe('the funnel', () => {
  it('goes from those who began over the rules in their order to those used, and tells those accepted apart', () => {
    expect(barsOf(group, (key) => key, []).map(({ key, count, kind }) => [key, count, kind])).toEqual([
      ['started', 20, 'step'],
      ['completed', 10, 'step'],
      ['R1', 9, 'step'],
      ['R2', 5, 'step'],
      ['used', 5, 'end'],
      ['accepted', 8, 'aside'],
    ]);
  });

  it('has bars as long as their counts, from one zero', () => {
    const widthsOf = (own: GroupOut) => {
      const { container } = render(<svg>{drawFunnel(barsOf(own, (key) => key, []), 694, 'not asked').content}</svg>);
      return [...container.querySelectorAll('rect')].map((one) => Number(one.getAttribute('width')));
    };
    expect(widthsOf(group)).toEqual([400, 200, 180, 100, 100, 160]);
    const nobody = { ...group, started: 0, completed: 0, steps: [], used: 0, accepted: 0 };
    expect(widthsOf(nobody)).toEqual([0, 0, 0, 0]);
  });

  it('has words instead of the bar of a rule that the study does not ask, unless somebody broke it', () => {
    const rule = (name: string): RuleOut => ({ rule: name, asked: false, use: true, pay: true, thresholds: {} });
    const steps = [{ rule: 'R6', broken: 0, unknown: 0, left: 9 }, { rule: 'R7', broken: 1, unknown: 0, left: 8 }];
    const bars = barsOf({ ...group, steps }, (key) => key, [rule('R6'), rule('R7')]);
    expect(bars.filter(({ key }) => key.startsWith('R')).map(({ kind }) => kind)).toEqual(['unasked', 'step']);
    const { container } = render(<svg>{drawFunnel(bars, 694, 'not asked').content}</svg>);
    expect(container.querySelectorAll('rect')).toHaveLength(bars.length - 1);
    expect(container).toHaveTextContent('R6not asked');
  });

  it('puts its words above the bars where there is no room beside them', () => {
    const { container } = render(<svg>{drawFunnel(barsOf(group, (key) => key, []), 344, 'not asked').content}</svg>);
    for (const step of container.querySelectorAll('g')) {
      const [label, rect] = [step.querySelector('text'), step.querySelector('rect')];
      expect(Number(rect?.getAttribute('x'))).toBe(0);
      expect(Number(label?.getAttribute('y'))).toBeLessThan(Number(rect?.getAttribute('y')) - 8);
    }
  });
});
