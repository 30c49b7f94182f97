import { type ReactNode, type Ref, useId } from 'react';

export interface Choice<K extends string | number> {
  key: K;
  label: string;
}

interface Props<K extends string | number> {
  legend: ReactNode;
  choices: readonly Choice<K>[];
  value: K | null;
  onChange: (key: K) => void;
  /** `scale`: side by side if there is room; `list`: one below the other. */
  layout: 'scale' | 'list';
  error?: string | undefined;
  required?: boolean;
  legendRef?: Ref<HTMLElement>;
  /** Ref of the first radio, for a form that moves the focus to a missing answer. */
  firstRef?: Ref<HTMLInputElement> | undefined;
}

/** A group of native radio buttons, so that arrow keys, Enter and screen readers work as usual. */
export function Choices<K extends string | number>({ legend, choices, value, onChange, layout, error, required = true, legendRef, firstRef }: Props<K>) {
  const id = useId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-legend`}
      aria-required={required}
      aria-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className={`choices choices--${layout}`}
    >
      <span id={`${id}-legend`} className="choices__legend" ref={legendRef} tabIndex={legendRef === undefined ? undefined : -1}>
        {legend}
      </span>
      {error !== undefined && (
        <span id={`${id}-error`} className="field-error">
          {error}
        </span>
      )}
      <div className="choices__options">
        {choices.map((choice, index) => (
          <label key={choice.key} className="choice">
            <input
              ref={index === 0 ? firstRef : undefined}
              type="radio"
              name={id}
              value={choice.key}
              checked={value === choice.key}
              onChange={() => { onChange(choice.key); }}
            />
            <span className="choice__label">{choice.label}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
