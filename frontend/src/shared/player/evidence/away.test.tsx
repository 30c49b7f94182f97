import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AwayWatch } from './away';

let now = 0;
let focused = true;
beforeEach(() => {
  now = 10_000;
  focused = true;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused);
});
function focus(at: number, value: boolean): void {
  now = 10_000 + at;
  focused = value;
  window.dispatchEvent(new Event(value ? 'focus' : 'blur'));
}

describe('time away from a trial', () => {
  it('counts only between the plays, from the trial\'s first display', () => {
    const watch = new AwayWatch();
    const stop = watch.start();
    focus(1000, false);
    watch.playing(true, 11_500);
    focus(2000, true);
    focus(2500, false);
    watch.playing(false, 14_000);
    focus(5000, true);
    focus(7000, false);
    now = 17_400;
    expect(watch.spans()).toEqual([{ at_ms: 1000, ms: 500 }, { at_ms: 4000, ms: 1000 }, { at_ms: 7000, ms: 400 }]);
    stop();
  });

  it('is none for a person who stays', () => {
    const watch = new AwayWatch();
    const stop = watch.start();
    now = 20_000;
    expect(watch.spans()).toEqual([]);
    stop();
    focus(30_000, false);
    expect(watch.spans()).toEqual([]);
  });
});
