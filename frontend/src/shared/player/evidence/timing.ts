import type { AnswerFrom } from './scale';
import { rounded } from './spans';

/** Times of an answer, sent with the vote. */
export interface Timing {
  replays: number;
  /** From the end of the first play, or from its start if answers are allowed from the start, to the last choice. */
  answer_ms: number;
  /** The position of the clip seen until then. */
  media_ms: number | null;
  /** Date and time of the last choice; before the play's end if answers are allowed from the start. */
  answered_at: string;
}

/** What has been seen of a trial's film so far, across reloads. Times are in performance.now(). */
export interface Seen {
  /** Number of complete plays. */
  plays: number;
  /** The largest position reached in the film. */
  seen_ms: number;
  first_start: number | null;
  first_end: number | null;
}

export const nothingSeen: Seen = { plays: 0, seen_ms: 0, first_start: null, first_end: null };

/** Records the time of the last choice in a trial, and the position of the film at that time. */
export class AnswerClock {
  private firstStart: number | null;
  private firstEnd: number | null;
  private plays: number;
  private seenMs: number;
  private video: HTMLVideoElement | null = null;
  private choice: { at: number; seen_ms: number } | null = null;

  /** `before`: the state recorded by an earlier page. */
  constructor(private readonly from: AnswerFrom, before: Seen = nothingSeen) {
    this.plays = before.plays;
    this.seenMs = before.seen_ms;
    // a play that was running when its page ended does not count
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

  /** Records an interrupted play: it does not count, but part of the film was seen. */
  playBreaks(): void {
    this.seenMs = this.seenNow();
    this.video = null;
    if (this.plays === 0) this.firstStart = null;
  }

  /** Records a choice. */
  chosen(at: number): void {
    this.choice = { at, seen_ms: this.seenNow() };
  }

  /** `wallMs`: ms since the epoch at `now`. */
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
