import { I18nProvider } from '@lingui/react';
import { i18n } from '@lingui/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Slider } from './Slider';

const labels = ['extremely bad', 'bad', 'poor', 'fair', 'good', 'excellent', 'ideal'];
const onChange = vi.fn<(value: number) => void>();

function Held() {
  const [value, setValue] = useState<number | null>(null);
  return (
    <I18nProvider i18n={i18n}>
      <Slider legend="How was it?" labels={labels} value={value} onChange={(to) => { onChange(to); setValue(to); }} />
    </I18nProvider>
  );
}
const slider = () => screen.getByRole('slider', { name: 'How was it?' });
const thumb = () => document.querySelector<HTMLElement>('.slider__thumb');
const field = () => screen.getByRole('presentation');

beforeEach(() => {
  onChange.mockReset();
  // jsdom has no layout and captures no pointer
  HTMLElement.prototype.setPointerCapture = () => undefined;
  HTMLElement.prototype.getBoundingClientRect = () => new DOMRect(100, 0, 400, 6);
});

describe('the slider', () => {
  it('shows no thumb and no value before the first answer', () => {
    render(<Held />);
    expect(thumb()).toBeNull();
    expect(slider()).toHaveAttribute('aria-valuetext', 'no answer yet');
    expect(slider()).toHaveAccessibleDescription(labels.join(' '));
  });

  it('follows arrow keys, Page keys, Home and End, and names the nearest label', async () => {
    const user = userEvent.setup();
    render(<Held />);
    slider().focus();
    await user.keyboard('{ArrowRight}{PageUp}{ArrowDown}{Home}{ArrowLeft}{End}{PageDown}{ArrowUp}{a}');
    expect(onChange.mock.calls.map(([value]) => value)).toEqual([51, 61, 60, 0, 0, 100, 90, 91]);
    expect(slider()).toHaveAttribute('aria-valuetext', 'excellent, 91');
    expect(slider()).toHaveValue('91');
    expect(thumb()?.style.left).toBe('91%');
    expect(document.querySelector('.slider__label--near')).toHaveTextContent('excellent');
  });

  it('follows a pointer from any position, also from the middle, but not beyond the ends', () => {
    render(<Held />);
    fireEvent.pointerDown(field(), { clientX: 300, buttons: 1 });
    expect(onChange).toHaveBeenLastCalledWith(50);
    expect(thumb()).not.toBeNull();
    fireEvent.pointerMove(field(), { clientX: 700, buttons: 1 });
    expect(onChange).toHaveBeenLastCalledWith(100);
    fireEvent.pointerMove(field(), { clientX: 20, buttons: 1 });
    expect(onChange).toHaveBeenLastCalledWith(0);
    fireEvent.pointerMove(field(), { clientX: 300, buttons: 0 });
    expect(onChange).toHaveBeenCalledTimes(3);
    fireEvent.click(field());
    expect(slider()).toHaveFocus();
  });

  it('accepts a value set by a screen reader', () => {
    render(<Held />);
    fireEvent.change(slider(), { target: { value: '83' } });
    expect(slider()).toHaveAttribute('aria-valuetext', 'excellent, 83');
  });
});
