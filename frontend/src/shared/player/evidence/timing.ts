import type { AnswerFrom } from './scale';
import { rounded } from './spans';

/** When an answer was given; goes with the vote. */
export interface Timing {
  replays: number;
  /** From the end of the first play, or from its start where answers are taken from there, to the last choice. */
  answer_ms: number;
  /** How far the clip had been seen by then, in its own time. */
  media_ms: number | null;
  /** The last choice by the clock on the wall: where answers are taken from the start, this is before the play's end. */
  answered_at: string;
}

/** What has been seen of a trial's film so far; a page that is loaded again begins no new trial. Moments by performance.now(). */
export interface Seen {
  /** Plays to the end. */
  plays: number;
  /** How far into the film. */
  seen_ms: number;
  first_start: number | null;
  first_end: number | null;
}

export const nothingSeen: Seen = { plays: 0, seen_ms: 0, first_start: null, first_end: null };

/** Keeps the moment of the last choice in a trial, and how far the film was by then. */
export class AnswerClock {
  private firstStart: number | null;
  private firstEnd: number | null;
  private plays: number;
  private seenMs: number;
  private video: HTMLVideoElement | null = null;
  private choice: { at: number; seen_ms: number } | null = null;

  /** `before`: what a page before this one knew. */
  constructor(private readonly from: AnswerFrom, before: Seen = nothingSeen) {
    this.plays = before.plays;
    this.seenMs = before.seen_ms;
    // one that was running when its page was ended is no play
    this.firstStart = before.plays > 0 ? before.first_start : null;
    this.firstEnd = before.first_end;
  }

  seen(): Seen {
    return { plays: this.plays, seen_ms: this.seenNow(), first_start: this.firstStart, first_end: this.firstEnd };
  }

  playBegins(video: HTMLVideoElement, at: number): void {
    this.video = video;
    this.firstStart ??= at;
  }

  playEnds(at: number): void {
    this.seenMs = this.seenNow();
    this.video = null;
    this.firstEnd ??= at;
    this.plays += 1;
  }

  /** The play was broken off: it did not end, but some of the film was seen. */
  playBreaks(): void {
    this.seenMs = this.seenNow();
    this.video = null;
    if (this.plays === 0) this.firstStart = null;
  }

  /** A choice is made or changed. */
  chosen(at: number): void {
    this.choice = { at, seen_ms: this.seenNow() };
  }

  /** `wallMs` is the time of day at `now`. */
  timing(now: number, wallMs: number): Timing {
    const { at, seen_ms } = this.choice ?? { at: now, seen_ms: this.seenNow() };
    const zero = (this.from === 'start' ? this.firstStart : this.firstEnd) ?? at;
    return {
      replays: Math.max(0, this.plays - 1),
      answer_ms: rounded(Math.max(0, at - zero)),
      media_ms: rounded(seen_ms),
      answered_at: new Date(wallMs - (now - at)).toISOString(),
    };
  }

  private seenNow(): number {
    return Math.max(this.seenMs, this.video === null ? 0 : this.video.currentTime * 1000);
  }
}
