import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Countdown } from './Countdown';

const onDone = vi.fn();
const show = () =>
  render(
    <I18nProvider i18n={i18n}>
      <Countdown onDone={onDone} />
    </I18nProvider>,
  );
const pass = (ms: number) => { act(() => { vi.advanceTimersByTime(ms); }); };
const looksAway = (hidden: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(hidden ? 'hidden' : 'visible');
  act(() => { document.dispatchEvent(new Event('visibilitychange')); });
};

beforeEach(() => {
  vi.useFakeTimers();
  onDone.mockReset();
});
afterEach(() => { vi.useRealTimers(); });

describe('the countdown', () => {
  it('counts three, two, one, then the film begins, once', () => {
    show();
    expect(screen.getByRole('status')).toHaveTextContent('The video is about to start.');
    for (const count of ['3', '2', '1']) {
      expect(screen.getByText(count)).toBeInTheDocument();
      expect(onDone).not.toHaveBeenCalled();
      pass(600);
    }
    pass(5000);
    expect(onDone).toHaveBeenCalledTimes(1);
  });

  it('waits for whoever looks away', () => {
    show();
    looksAway(true);
    for (let step = 0; step < 4; step += 1) pass(600);
    expect(onDone).not.toHaveBeenCalled();
    looksAway(false);
    expect(onDone).toHaveBeenCalledTimes(1);
  });
});
