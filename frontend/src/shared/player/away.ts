import type { Span } from '../api/span';
import { since, SpanLog, without } from './spans';

/** Watches whether a person is at the page between the plays of a trial; what happens during a play stands in its evidence. */
export class AwayWatch {
  private readonly zero = performance.now();
  private readonly away = new SpanLog();
  private readonly plays = new SpanLog();

  start(): () => void {
    const look = () => {
      if (document.visibilityState === 'hidden' || !document.hasFocus()) this.away.begin(performance.now());
      else this.away.end(performance.now());
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

  /** Since the trial's first display. */
  spans(): Span[] {
    const now = performance.now();
    return since(this.zero, now, without(this.away.until(now), this.plays.until(now)));
  }
}
