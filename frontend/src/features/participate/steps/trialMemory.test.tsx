import { beforeEach, expect, it, vi } from 'vitest';

import { nothingSeen } from '../../../shared/player/evidence/timing';
import { TrialMemory } from './trialMemory';

const NOON = Date.UTC(2026, 0, 1, 12);
let wall = NOON;
let begun = NOON;
let hidden = false;
beforeEach(() => {
  [wall, begun, hidden] = [NOON, NOON, false];
  vi.spyOn(Date, 'now').mockImplementation(() => wall);
  vi.spyOn(performance, 'now').mockImplementation(() => wall - begun);
  vi.spyOn(performance, 'timeOrigin', 'get').mockImplementation(() => begun);
  vi.spyOn(document, 'hasFocus').mockImplementation(() => !hidden);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (hidden ? 'hidden' : 'visible'));
});

function open(position = 1, sessionId = 's1'): { memory: TrialMemory; stop: () => void } {
  const memory = new TrialMemory(sessionId, position);
  return { memory, stop: memory.start() };
}
function hide(value: boolean): void {
  hidden = value;
  document.dispatchEvent(new Event('visibilitychange'));
}
function anotherPage(afterMs: number): void {
  wall += afterMs;
  begun = wall;
  hidden = false;
}

it('counts a hidden page that the browser ended as away until the next page started', () => {
  const first = open();
  wall += 1000;
  hide(true);
  // no event tells of the end
  first.stop();
  anotherPage(300_000);
  // and it takes a while until the trial is on show
  wall += 4000;
  const second = open();
  wall += 500;
  expect(second.memory.away.spans()).toEqual([{ at_ms: 1000, ms: 300_000 }]);
  second.stop();
});

it('continues over several pages, and with a page restored from the back/forward cache', () => {
  const first = open();
  hide(true);
  wall += 50;
  window.dispatchEvent(new Event('pagehide'));
  wall += 5000;
  window.dispatchEvent(new Event('pageshow'));
  hide(false);
  first.memory.playing(true, performance.now(), nothingSeen);
  wall += 3000;
  const end = performance.now();
  first.memory.playing(false, end, { plays: 1, seen_ms: 3000, first_start: end - 3000, first_end: end });
  window.dispatchEvent(new Event('pagehide'));
  first.stop();
  anotherPage(100);
  const second = open();
  window.dispatchEvent(new Event('pagehide'));
  second.stop();
  anotherPage(100);
  const last = open();
  expect(last.memory.away.spans()).toEqual([{ at_ms: 0, ms: 5050 }]);
  expect(last.memory.seen).toEqual({ plays: 1, seen_ms: 3000, first_start: -3200, first_end: -200 });
  last.stop();
});

it('keeps its state when the clock is set back', () => {
  const first = open();
  wall += 1000;
  hide(true);
  wall += 20_000;
  hide(false);
  window.dispatchEvent(new Event('pagehide'));
  first.stop();
  anotherPage(-3_600_000);
  const second = open();
  expect(second.memory.away.spans()).toEqual([{ at_ms: 1000, ms: 20_000 }]);
  second.stop();
});

it.each<[string, () => { memory: TrialMemory; stop: () => void }]>([
  ['another trial', () => open(2)],
  ['another session', () => open(1, 's2')],
  ['a trial whose vote is kept', () => open()],
  ['one found again after weeks', () => { anotherPage(30 * 86_400_000); return open(); }],
  ['what cannot be read', () => { sessionStorage.setItem('eyelevel.trial.s1', '{"position":1'); return open(); }],
])('says nothing to %s', (which, next) => {
  const first = open();
  hide(true);
  wall += 20_000;
  hide(false);
  first.memory.playing(false, 0, { ...nothingSeen, plays: 1 });
  if (which === 'a trial whose vote is kept') first.memory.forget();
  hide(true);
  hide(false);
  first.stop();
  const { memory, stop } = next();
  expect(memory.away.spans()).toEqual([]);
  expect(memory.seen).toEqual(nothingSeen);
  stop();
});

it('works in a browser without storage', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => { throw new Error('private'); });
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => { throw new Error('private'); });
  const { memory, stop } = open();
  hide(true);
  wall += 2000;
  hide(false);
  expect(memory.away.spans()).toEqual([{ at_ms: 0, ms: 2000 }]);
  memory.forget();
  stop();
});
