import type { Span } from '../../api/forms';
import { since, SpanLog, without } from './spans';

/** Records when the page is hidden or unfocused between the plays of a trial. Times during a play are in its evidence. */
export class AwayWatch {
  private readonly away: SpanLog;
  private readonly plays = new SpanLog();

  /** `zero`: the trial's first display, possibly by an earlier page, which recorded `earlier`. All times are in performance.now(). */
  constructor(readonly zero = performance.now(), earlier: readonly Span[] = []) {
    this.away = new SpanLog(earlier);
  }

  /** Starts recording. `onChange` is called when the person leaves or returns. */
  start(onChange: () => void = () => undefined): () => void {
    const look = () => {
      if (document.visibilityState === 'hidden' || !document.hasFocus()) this.away.begin(performance.now());
      else this.away.end(performance.now());
      onChange();
    };
    document.addEventListener('visibilitychange', look);
    addEventListener('blur', look);
    addEventListener('focus', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('blur', look);
      removeEventListener('focus', look);
    };
  }

  playing(playing: boolean, at: number): void {
    if (playing) this.plays.begin(at);
    else this.plays.end(at);
  }

  /** Whether the page is hidden or unfocused while no film plays. */
  isAway(): boolean {
    return this.away.isOpen() && !this.plays.isOpen();
  }

  /** Spans away, in ms since the trial's first display. */
  spans(): Span[] {
    const now = performance.now();
    return since(this.zero, now, without(this.away.until(now), this.plays.until(now)));
  }
}
