import { describe, expect, it } from 'vitest';

import { AnswerClock } from './timing';

const NOON = Date.UTC(2026, 0, 1, 12);
const film = (currentTime: number) => ({ currentTime }) as HTMLVideoElement;

describe('when an answer was given', () => {
  it('counts from the end of the first play to the last choice', () => {
    const clock = new AnswerClock('end');
    clock.playBegins(film(3), 1000);
    clock.playEnds(4000);
    clock.chosen(5000);
    clock.chosen(6500);
    expect(clock.timing(9000, NOON)).toEqual({ replays: 0, answer_ms: 2500, media_ms: 3000, answered_at: '2026-01-01T11:59:57.500Z' });
  });

  it('counts from the start if answers are allowed from the start, and records the position of the film', () => {
    const clock = new AnswerClock('start');
    const playing = film(0);
    clock.playBegins(playing, 1000);
    playing.currentTime = 0.8;
    clock.chosen(1800);
    playing.currentTime = 3;
    clock.playEnds(4000);
    expect(clock.timing(9000, NOON)).toEqual({ replays: 0, answer_ms: 800, media_ms: 800, answered_at: '2026-01-01T11:59:52.800Z' });
  });

  it('records the whole film as seen for a choice during a replay', () => {
    const clock = new AnswerClock('start');
    clock.playBegins(film(3), 1000);
    clock.playEnds(4000);
    clock.playBegins(film(0.2), 6000);
    clock.chosen(6200);
    clock.playEnds(9000);
    expect(clock.timing(9500, NOON)).toEqual({ replays: 1, answer_ms: 5200, media_ms: 3000, answered_at: '2026-01-01T11:59:56.700Z' });
  });

  it('continues the state of an earlier page', () => {
    const before = new AnswerClock('start');
    before.playBegins(film(0), 1000);
    before.playEnds(4000);
    const clock = new AnswerClock('start', { ...before.seen(), seen_ms: 3000, first_start: -9000, first_end: -6000 });
    clock.playBegins(film(0.2), 500);
    clock.chosen(700);
    clock.playEnds(3500);
    expect(clock.timing(4000, NOON)).toEqual({ replays: 1, answer_ms: 9700, media_ms: 3000, answered_at: '2026-01-01T11:59:56.700Z' });
  });

  it('does not count a play that ended with its page', () => {
    const before = new AnswerClock('start');
    before.playBegins(film(1), 1000);
    const clock = new AnswerClock('start', before.seen());
    clock.playBegins(film(3), 5000);
    clock.playEnds(8000);
    clock.chosen(8100);
    expect(clock.timing(8200, NOON)).toMatchObject({ replays: 0, answer_ms: 3100, media_ms: 3000 });
  });

  it('does not count an interrupted play before the first complete play', () => {
    const clock = new AnswerClock('start');
    clock.playBegins(film(1), 1000);
    clock.playBreaks();
    clock.playBegins(film(3), 5000);
    clock.playEnds(8000);
    clock.chosen(8100);
    expect(clock.timing(8200, NOON)).toEqual({ replays: 0, answer_ms: 3100, media_ms: 3000, answered_at: '2026-01-01T11:59:59.900Z' });
  });
});
