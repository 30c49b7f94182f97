import type { Span } from '../../api/forms';
import { since, SpanLog, without } from './spans';

/** Watches whether a person is at the page between the plays of a trial; what happens during a play stands in its evidence. */
export class AwayWatch {
  private readonly away: SpanLog;
  private readonly plays = new SpanLog();

  /** `zero` is the trial's first display, maybe by a page before this one, which noted `earlier`; all by performance.now(). */
  constructor(readonly zero = performance.now(), earlier: readonly Span[] = []) {
    this.away = new SpanLog(earlier);
  }

  /** `onChange`: somebody left, or is back. */
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

  /** Nobody is at the page, and no film plays. */
  isAway(): boolean {
    return this.away.isOpen() && !this.plays.isOpen();
  }

  /** Since the trial's first display. */
  spans(): Span[] {
    const now = performance.now();
    return since(this.zero, now, without(this.away.until(now), this.plays.until(now)));
  }
}
