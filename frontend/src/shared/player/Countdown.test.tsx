import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Countdown } from './Countdown';

const onPlay = vi.fn();
let startedAt = 0;
/** A film whose clock starts so many ms after it is asked to play. */
let slowMs = 0;

function Film({ leadMs, playingFrom = false }: { leadMs: number; playingFrom?: boolean }) {
  const [playing, setPlaying] = useState(playingFrom);
  return (
    <Countdown
      leadMs={leadMs}
      playing={playing}
      filmMs={() => Math.max(0, performance.now() - startedAt - slowMs)}
      onPlay={() => {
        onPlay();
        startedAt = performance.now();
        setPlaying(true);
      }}
    />
  );
}
const show = (leadMs: number, playingFrom = false) =>
  render(
    <I18nProvider i18n={i18n}>
      <Film leadMs={leadMs} playingFrom={playingFrom} />
    </I18nProvider>,
  );
const pass = (ms: number) => { act(() => { vi.advanceTimersByTime(ms); }); };
const shown = () => document.querySelector('.stage__count')?.textContent ?? null;
const looksAway = (hidden: boolean) => { vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(hidden ? 'hidden' : 'visible'); };

beforeEach(() => {
  vi.useFakeTimers();
  onPlay.mockReset();
  slowMs = 0;
  startedAt = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the countdown', () => {
  it('counts three, two, one; the film plays below its last second and its load begins at the end', () => {
    show(1000);
    // what comes into the region later is said, what it comes with is not
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    expect(shown()).toBe('3');
    pass(700);
    expect(screen.getByRole('status')).toHaveTextContent('The video is about to start.');
    expect(shown()).toBe('2');
    expect(onPlay).not.toHaveBeenCalled();
    pass(150);
    expect(onPlay).toHaveBeenCalledTimes(1);
    pass(400);
    expect(shown()).toBe('1');
    pass(500);
    expect(shown()).toBe('1');
    pass(100);
    expect(shown()).toBeNull();
    expect(screen.queryByRole('status')).toBeNull();
    pass(5000);
    expect(onPlay).toHaveBeenCalledTimes(1);
  });

  it("waits for a film that starts slowly, because the film's clock decides", () => {
    slowMs = 2000;
    show(1000);
    pass(2800);
    expect(shown()).toBe('2');
    pass(900);
    expect(shown()).toBe('1');
    pass(200);
    expect(shown()).toBeNull();
  });

  it('ends as the film starts where the clip has no lead-in', () => {
    show(0);
    pass(1750);
    expect(shown()).toBe('1');
    expect(onPlay).not.toHaveBeenCalled();
    pass(100);
    expect(onPlay).toHaveBeenCalledTimes(1);
    expect(shown()).toBeNull();
  });

  it('covers the lead-in of a film that plays already', () => {
    startedAt = performance.now();
    show(1000, true);
    expect(shown()).toBe('2');
    pass(990);
    expect(shown()).toBeNull();
    expect(onPlay).not.toHaveBeenCalled();
  });

  it('starts no film while the page is hidden', () => {
    looksAway(true);
    show(1000);
    pass(5000);
    expect(onPlay).not.toHaveBeenCalled();
    expect(shown()).toBe('2');
    looksAway(false);
    pass(50);
    expect(onPlay).toHaveBeenCalledTimes(1);
  });
});
