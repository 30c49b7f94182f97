import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleLinear, scaleLog } from '@visx/scale';
import type { ReactNode } from 'react';

import { Mark, type Shape } from './encoding';

export interface Dot {
  key: string;
  /** in s */
  x: number;
  mos: number;
  colour: string;
  shape: Shape;
  title: string;
}

interface Words {
  x: string;
  y: string;
  /** "(logarithmic)" */
  log: string;
  number: (value: number) => string;
}

const margin = { top: 24, right: 14, bottom: 46, left: 30 };
const height = 260;
/** Networks differ by so much that a linear axis would press the fast ones into its corner. */
const logFrom = 8;

/** 1, 2 and 5 of each power of ten inside the range. */
export function logTicks(from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power += 1) {
    for (const step of [1, 2, 5]) {
      const tick = Number((step * 10 ** power).toPrecision(1));
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  }
  return ticks;
}

/** MOS against a metric; a point is a clip. */
export function drawScatter(dots: readonly Dot[], words: Words, width: number): { height: number; content: ReactNode } {
  const range: [number, number] = [margin.left + 4, width - margin.right];
  const least = Math.min(...dots.map((dot) => dot.x));
  const most = Math.max(0.1, ...dots.map((dot) => dot.x));
  const log = least > 0 && most / least >= logFrom;
  const x = log ? scaleLog<number>({ domain: [least * 0.9, most * 1.1], range }) : scaleLinear<number>({ domain: [0, most], range, nice: true });
  const y = scaleLinear<number>({ domain: [1, 7], range: [height - margin.bottom, margin.top] });
  const label = { className: 'figure__soft', fontFamily: 'inherit', fontSize: 12, textAnchor: 'middle' } as const;
  const tick = { className: 'figure__tick', fontFamily: 'inherit', fontSize: 12 } as const;
  const content = (
    <>
      {[1, 2, 3, 4, 5, 6, 7].map((score) => (
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
        numTicks={7}
        tickFormat={(value) => words.number(value.valueOf())}
        tickLabelProps={{ ...tick, textAnchor: 'end', dx: -4, dy: 4 }}
        hideAxisLine
        hideTicks
      />
      <text x={0} y={12} className="figure__soft">
        {words.y}
      </text>
      {dots.map((dot) => (
        <Mark key={dot.key} x={x(dot.x)} y={y(dot.mos)} shape={dot.shape} colour={dot.colour} title={dot.title} />
      ))}
    </>
  );
  return { height, content };
}
