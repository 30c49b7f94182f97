import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleLinear } from '@visx/scale';
import type { ReactNode } from 'react';

import type { Shape } from './encoding';
import { Mark } from './Mark';

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
  number: (value: number) => string;
}

const margin = { top: 10, right: 14, bottom: 46, left: 46 };
const height = 260;

/** MOS against a metric; a point is a clip. */
export function drawScatter(dots: readonly Dot[], words: Words, width: number): { height: number; content: ReactNode } {
  const x = scaleLinear<number>({
    domain: [0, Math.max(0.1, ...dots.map((dot) => dot.x))],
    range: [margin.left, width - margin.right],
    nice: true,
  });
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
        tickFormat={(value) => words.number(value.valueOf())}
        label={words.x}
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
        label={words.y}
        labelOffset={18}
        labelProps={label}
        tickLabelProps={{ ...tick, textAnchor: 'end', dx: -4, dy: 4 }}
        hideAxisLine
        hideTicks
      />
      {dots.map((dot) => (
        <Mark key={dot.key} x={x(dot.x)} y={y(dot.mos)} shape={dot.shape} colour={dot.colour} title={dot.title} />
      ))}
    </>
  );
  return { height, content };
}
