import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { drawMos } from './drawMos';
import { type Dot, drawScatter } from './drawScatter';
import { drawLegend } from './encoding';

const labels = ['extremely bad', 'bad', 'poor', 'fair', 'good', 'excellent', 'ideal'];
const look = { colour: '#000', shapeOf: () => 'circle' as const, labels, describe: () => '', showContext: false, axis: 'the axis', cut: 'cut at the end' };
const row = (mos: number, ci_low: number | null, ci_high: number | null) => ({ site: 'garden', network: 'DSL', stack: 'QUIC', context: 'work', n: 2, mos, ci_low, ci_high, sd: null });
const mosOf = (...rows: Parameters<typeof drawMos>[0]) => render(<svg>{drawMos(rows, look, 700).content}</svg>).container;

describe('the figure of mean opinion scores', () => {
  it('has a title of its axis', () => {
    expect(mosOf(row(5, 4, 6))).toHaveTextContent('the axis');
  });

  it.each([
    ['at 7', row(6.8, 6.3, 7), ['high']],
    ['at both ends', row(4, 1, 7), ['low', 'high']],
  ])('marks an interval that is cut %s, and says what the mark means', (_where, one, sides) => {
    const drawn = mosOf(one);
    // the last one explains the mark
    expect([...drawn.querySelectorAll('[data-cut]')].map((mark) => mark.getAttribute('data-cut')).sort()).toEqual([...sides, 'high'].sort());
    expect(drawn).toHaveTextContent('cut at the end');
  });

  it.each([
    ['ends inside the scale', row(5, 4.2, 5.8)],
    ['has no width, at 7', row(7, 7, 7)],
    ['is unknown', row(7, null, null)],
  ])('marks no interval that %s', (_which, one) => {
    const drawn = mosOf(one);
    expect(drawn.querySelectorAll('[data-cut]')).toHaveLength(0);
    expect(drawn).not.toHaveTextContent('cut at the end');
  });
});

const words = { x: 'SI in s', y: 'MOS', log: '(logarithmic)', cut: (from: string, to: string) => `(cut: ${from} to ${to})`, number: String };
const dot = (x: number, mos: number, interval: Dot['interval'] = null): Dot => ({ key: `${String(x)}/${String(mos)}`, x, mos, interval, colour: '#000', shape: 'circle', title: '' });
const scatterOf = (...dots: Dot[]) => render(<svg>{drawScatter(dots, words, 400).content}</svg>).container;

describe('the figure of scores against a metric', () => {
  it('has a logarithmic axis where the largest value is more than four times the smallest', () => {
    expect(scatterOf(dot(1, 2), dot(4, 6))).not.toHaveTextContent('(logarithmic)');
    expect(scatterOf(dot(1, 2), dot(4.1, 6))).toHaveTextContent('(logarithmic)');
    expect(scatterOf(dot(0, 2), dot(9, 6))).not.toHaveTextContent('(logarithmic)');
  });

  it('cuts its axis to the scores and their intervals, over two points at least, and says so', () => {
    expect(scatterOf(dot(1, 6.2), dot(2, 6.4))).toHaveTextContent('MOS (cut: 5 to 7)');
    expect(scatterOf(dot(1, 1.2))).toHaveTextContent('MOS (cut: 1 to 3)');
    expect(scatterOf(dot(1, 5.5, [3.4, 6.1]))).toHaveTextContent('MOS (cut: 3 to 7)');
    expect(scatterOf(dot(1, 1.5), dot(2, 6.5))).not.toHaveTextContent('cut');
  });

  it('has error bars where an interval is known, and points that one can see through', () => {
    const drawn = scatterOf(dot(1, 4), dot(2, 5, [4, 6]));
    const [bar, ...others] = drawn.querySelectorAll('.figure__error');
    expect(others).toEqual([]);
    // the axis shows 4 to 6, on 24 to 214 px
    expect([Number(bar?.getAttribute('y1')), Number(bar?.getAttribute('y2'))]).toEqual([214, 24]);
    expect([...drawn.querySelectorAll('.mark')].map((mark) => mark.getAttribute('fill-opacity'))).toEqual(['0.7', '0.7']);
  });

  it('has a legend for its file, which breaks where the width ends', () => {
    const legendOf = (width: number) => drawLegend(['DSL', 'LTE'], ['QUIC', 'TCP+'], { network: 'Network:', stack: 'Stack:' }, width);
    expect(render(<svg>{legendOf(400).content}</svg>).container.textContent).toBe('Network:DSLLTEStack:QUICTCP+');
    expect([legendOf(400).height, legendOf(130).height]).toEqual([48, 88]);
  });
});
