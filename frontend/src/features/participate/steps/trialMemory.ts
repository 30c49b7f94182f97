import * as v from 'valibot';

import { forgetKeys, recall, remember } from '../../../shared/lib/storage';
import { AwayWatch } from '../../../shared/player/evidence/away';
import { spansAtMost } from '../../../shared/player/evidence/spans';
import { nothingSeen, type Seen } from '../../../shared/player/evidence/timing';

// older records are ignored
const longestMs = 10 * 24 * 3600 * 1000;

const Ms = v.pipe(v.number(), v.finite());
/** State of a trial that the next page needs. Times are in ms since the epoch, because they must be valid across pages. */
const Written = v.object({
  position: v.number(),
  shown_at: Ms,
  written_at: Ms,
  away: v.pipe(v.array(v.object({ at_ms: Ms, ms: Ms })), v.maxLength(spansAtMost)),
  /** Nobody was at the page when this was written, so the last span is open. */
  away_still: v.boolean(),
  seen: v.object({ plays: v.pipe(v.number(), v.integer(), v.minValue(0)), seen_ms: Ms, first_start: v.nullable(Ms), first_end: v.nullable(Ms) }),
});
type Written = v.InferOutput<typeof Written>;

const keyOf = (sessionId: string) => `eyelevel.trial.${sessionId}`;

/**
 * State of the current trial: time away, and how much of the film was seen. It is stored in the tab until the
 * vote is stored, so that a reloaded page continues with it.
 */
export class TrialMemory {
  readonly away: AwayWatch;
  private latest: Seen;
  /** Offset from performance.now() to the time since the epoch. */
  private readonly offsetMs: number;
  private leaving = false;
  private over = false;

  constructor(private readonly sessionId: string, private readonly position: number) {
    const written = recalled(sessionId, position);
    // if the clock was set back, continue from the stored time
    this.offsetMs = Math.max(Date.now(), written?.written_at ?? 0) - performance.now();
    const here = (at: number) => at - this.offsetMs;
    this.away = written === null ? new AwayWatch() : new AwayWatch(here(written.shown_at), spansOf(written).map(({ at_ms, ms }) => ({ at_ms: here(at_ms), ms })));
    this.latest = written === null ? nothingSeen : shifted(written.seen, -this.offsetMs);
  }

  get seen(): Seen {
    return this.latest;
  }

  start(): () => void {
    const stop = this.away.start(() => {
      // a closing page becomes hidden, which is not time away
      if (!this.leaving) this.write();
    });
    // the page may be restored from the back/forward cache
    const onTurn = ({ type }: Event) => {
      this.leaving = type === 'pagehide';
      this.write();
    };
    addEventListener('pagehide', onTurn);
    addEventListener('pageshow', onTurn);
    return () => {
      stop();
      removeEventListener('pagehide', onTurn);
      removeEventListener('pageshow', onTurn);
    };
  }

  playing(playing: boolean, at: number, seen: Seen): void {
    this.away.playing(playing, at);
    this.latest = seen;
    this.write();
  }

  private write(): void {
    if (this.over) return;
    const { zero } = this.away;
    const written: Written = {
      position: this.position,
      shown_at: zero + this.offsetMs,
      written_at: performance.now() + this.offsetMs,
      away: this.away.spans().map(({ at_ms, ms }) => ({ at_ms: at_ms + zero + this.offsetMs, ms })),
      away_still: !this.leaving && this.away.isAway(),
      seen: shifted(this.latest, this.offsetMs),
    };
    remember(keyOf(this.sessionId), JSON.stringify(written), 'sessionStorage');
  }

  /** Call when the vote is stored or the trial is skipped. */
  forget(): void {
    this.over = true;
    forgetKeys((key) => key === keyOf(this.sessionId));
  }
}

function recalled(sessionId: string, position: number): Written | null {
  const text = recall(keyOf(sessionId), 'sessionStorage');
  if (text === null) return null;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Written), text);
  return success && output.position === position && Date.now() - output.shown_at < longestMs ? output : null;
}

/** The spans away. If the browser ended a hidden page, the last span lasts until the next page started. */
function spansOf({ away, away_still, written_at }: Written): Written['away'] {
  const last = away.at(-1);
  if (!away_still || last === undefined) return away;
  const until = Math.max(written_at, performance.timeOrigin);
  return [...away.slice(0, -1), { at_ms: last.at_ms, ms: until - last.at_ms }];
}

function shifted({ first_start, first_end, ...seen }: Seen, byMs: number): Seen {
  const shift = (at: number | null) => (at === null ? null : at + byMs);
  return { ...seen, first_start: shift(first_start), first_end: shift(first_end) };
}
