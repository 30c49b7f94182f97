import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleLinear, scaleLog } from '@visx/scale';
import type { ReactNode } from 'react';

import { Mark, type Shape } from './encoding';

export interface Dot {
  key: string;
  /** in s */
  x: number;
  mos: number;
  /** The interval of the mean, where it is known. */
  interval: readonly [number, number] | null;
  colour: string;
  shape: Shape;
  title: string;
}

interface Words {
  x: string;
  y: string;
  /** "(logarithmic)" */
  log: string;
  /** "(axis cut: 5 to 7 of 1 to 7)" */
  cut: (from: string, to: string) => string;
  number: (value: number) => string;
}

const margin = { top: 24, right: 14, bottom: 46, left: 30 };
const height = 260;
/** Networks differ by so much that a linear axis would press the fast ones into its corner. */
const logFrom = 4;
const ends = { low: 1, high: 7 } as const;
/** The shortest axis of scores, in points: noise should not look like an effect. */
const leastSpan = 2;

/** 1, 2 and 5 of each power of ten inside the range; more where that is fewer than three. */
export function logTicks(from: number, to: number): number[] {
  const some = ticksAt([1, 2, 5], from, to);
  return some.length < 3 ? ticksAt([1, 1.5, 2, 3, 4, 5, 6, 8], from, to) : some;
}

function ticksAt(steps: readonly number[], from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power += 1) {
    for (const step of steps) {
      const tick = Number((step * 10 ** power).toPrecision(2));
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  }
  return ticks;
}

/** The whole points of the scale around all scores and intervals, at least two points apart. */
export function scoreRange(dots: readonly Pick<Dot, 'mos' | 'interval'>[]): [number, number] {
  const scores = dots.flatMap(({ mos, interval }) => [mos, ...(interval ?? [])]);
  const from = Math.max(ends.low, Math.floor(Math.min(...scores, ends.high)));
  const to = Math.min(ends.high, Math.max(from + leastSpan, Math.ceil(Math.max(...scores, ends.low))));
  return [Math.min(from, to - leastSpan), to];
}

/** MOS against a metric; a point is a clip. Points are transparent, so that those behind others are seen. */
export function drawScatter(dots: readonly Dot[], words: Words, width: number): { height: number; content: ReactNode } {
  const range: [number, number] = [margin.left + 4, width - margin.right];
  const least = Math.min(...dots.map((dot) => dot.x));
  const most = Math.max(0.1, ...dots.map((dot) => dot.x));
  const log = least > 0 && most / least > logFrom;
  const x = log ? scaleLog<number>({ domain: [least * 0.9, most * 1.1], range }) : scaleLinear<number>({ domain: [0, most], range, nice: true });
  const [from, to] = scoreRange(dots);
  const whole = from === ends.low && to === ends.high;
  const scores = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const y = scaleLinear<number>({ domain: [from, to], range: [height - margin.bottom, margin.top] });
  const label = { className: 'figure__soft', fontFamily: 'inherit', fontSize: 12, textAnchor: 'middle' } as const;
  const tick = { className: 'figure__tick', fontFamily: 'inherit', fontSize: 12 } as const;
  const content = (
    <>
      {scores.map((score) => (
        <line key={score} x1={margin.left} x2={width - margin.right} y1={y(score)} y2={y(score)} className="figure__grid" />
      ))}
      <AxisBottom
        top={height - margin.bottom}
        scale={x}
        numTicks={Math.max(2, Math.floor(width / 80))}
        {...(log ? { tickValues: logTicks(least * 0.9, most * 1.1) } : {})}
        tickFormat={(value) => words.number(value.valueOf())}
        label={log ? `${words.x} ${words.log}` : words.x}
        labelOffset={14}
        labelProps={label}
        tickLabelProps={{ ...tick, textAnchor: 'middle' }}
        stroke="#8a8780"
        tickStroke="#8a8780"
      />
      <AxisLeft
        left={margin.left}
        scale={y}
        tickValues={scores}
        tickFormat={(value) => words.number(value.valueOf())}
        tickLabelProps={{ ...tick, textAnchor: 'end', dx: -4, dy: 4 }}
        hideAxisLine
        hideTicks
      />
      <text x={0} y={12} className="figure__soft">
        {whole ? words.y : `${words.y} ${words.cut(words.number(from), words.number(to))}`}
      </text>
      {dots.map((dot) => dot.interval !== null && <line key={dot.key} x1={x(dot.x)} x2={x(dot.x)} y1={y(dot.interval[0])} y2={y(dot.interval[1])} stroke={dot.colour} className="figure__error" />)}
      {dots.map((dot) => (
        <Mark key={dot.key} x={x(dot.x)} y={y(dot.mos)} shape={dot.shape} colour={dot.colour} title={dot.title} opacity={0.7} />
      ))}
    </>
  );
  return { height, content };
}
