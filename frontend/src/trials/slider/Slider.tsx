import './slider.css';

import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type PointerEvent, type Ref, useId, useRef } from 'react';

const HIGHEST = 100;
// where keys start; nothing is shown there before
const MIDDLE = 50;
const MOVES: Partial<Record<string, (from: number) => number>> = {
  ArrowRight: (from) => from + 1,
  ArrowUp: (from) => from + 1,
  ArrowLeft: (from) => from - 1,
  ArrowDown: (from) => from - 1,
  PageUp: (from) => from + 10,
  PageDown: (from) => from - 10,
  Home: () => 0,
  End: () => HIGHEST,
};

interface Props {
  legend: string;
  legendRef?: Ref<HTMLElement>;
  /** The names of marks at equal distances, the first at 0, the last at 100. */
  labels: readonly string[];
  /** null until the first answer, because a visible thumb would suggest an answer. */
  value: number | null;
  onChange: (value: number) => void;
}

/**
 * A scale from 0 to 100. An invisible native range handles keys and screen readers. The component handles the pointer
 * itself, because browsers differ in whether a touch beside the thumb moves it.
 */
export function Slider({ legend, legendRef, labels, value, onChange }: Props) {
  const { t } = useLingui();
  const id = useId();
  const range = useRef<HTMLInputElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const near = value === null ? -1 : Math.round((value / HIGHEST) * (labels.length - 1));

  const change = (to: number) => { onChange(Math.min(HIGHEST, Math.max(0, Math.round(to)))); };
  const point = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (box !== undefined && box.width > 0) change(((event.clientX - box.left) / box.width) * HIGHEST);
  };
  const press = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move === undefined) return;
    event.preventDefault();
    change(move(value ?? MIDDLE));
  };
  return (
    <div className="slider">
      <span id={`${id}-legend`} className="choices__legend" ref={legendRef} tabIndex={-1}>
        {legend}
      </span>
      <div
        role="presentation"
        className="slider__field"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          point(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) point(event);
        }}
        onClick={() => range.current?.focus({ preventScroll: true })}
      >
        <input
          ref={range}
          className="slider__range"
          type="range"
          min={0}
          max={HIGHEST}
          step={1}
          value={value ?? MIDDLE}
          aria-labelledby={`${id}-legend`}
          aria-describedby={`${id}-labels`}
          aria-valuetext={value === null ? t`no answer yet` : `${labels[near] ?? ''}, ${String(value)}`}
          onChange={(event) => { change(event.target.valueAsNumber); }}
          onKeyDown={press}
        />
        <div className="slider__track" ref={track}>
          {labels.map((label, index) => (
            <span key={label} className="slider__mark" style={{ left: `${String((index / (labels.length - 1)) * 100)}%` }} />
          ))}
          {value !== null && <span className="slider__thumb" style={{ left: `${String(value)}%` }} />}
        </div>
        <div className="slider__labels" id={`${id}-labels`}>
          {labels.map((label, index) => (
            <div key={label} className={index === near ? 'slider__label slider__label--near' : 'slider__label'}>
              {label}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
