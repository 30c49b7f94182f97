import { describe, expect, it } from 'vitest';

import { groupRows } from './drawMos';
import { logTicks } from './drawScatter';
import { colourOf, namesOf, shapeOf } from './encoding';

const row = (site: string, context: string, stack: string) => ({ site, context, stack, network: 'DSL', n: 2, mos: 4, ci_low: null, ci_high: null, sd: null });

describe('figures', () => {
  it('set the stacks of a site and context beside each other', () => {
    const groups = groupRows([row('b', 'work', 'TCP+'), row('a', 'work', 'QUIC'), row('b', 'work', 'QUIC'), row('b', 'plane', 'QUIC')]);
    expect(groups.map(({ site, context, rows }) => [site, context, rows.map(({ stack }) => stack)])).toEqual([
      ['a', 'work', ['QUIC']],
      ['b', 'plane', ['QUIC']],
      ['b', 'work', ['QUIC', 'TCP+']],
    ]);
  });

  it('give each name the same colour and shape whatever the order of the rows', () => {
    const names = namesOf([{ n: 'LTE' }, { n: 'DSL' }, { n: 'LTE' }], ({ n }) => n);
    expect(names).toEqual(['DSL', 'LTE']);
    expect(colourOf(names, 'DSL')).not.toBe(colourOf(names, 'LTE'));
    expect([shapeOf(names, 'DSL'), shapeOf(names, 'LTE')]).toEqual(['circle', 'square']);
  });

  it('mark a logarithmic axis at 1, 2 and 5', () => {
    expect(logTicks(0.3, 25)).toEqual([0.5, 1, 2, 5, 10, 20]);
  });

  it('mark a short logarithmic axis more closely', () => {
    expect(logTicks(0.9, 4.6)).toEqual([1, 1.5, 2, 3, 4]);
  });
});
