import type { Span } from '../../api/forms';

/** Maximum number of spans, because the size of a request is limited. */
export const spansAtMost = 100;

export function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Records spans of time, in the times of any clock. */
export class SpanLog {
  private readonly done: Span[];
  private since: number | null = null;

  constructor(earlier: readonly Span[] = []) {
    this.done = [...earlier];
  }

  isOpen(): boolean {
    return this.since !== null;
  }

  begin(at: number): void {
    this.since ??= at;
  }

  end(at: number): void {
    if (this.since === null) return;
    this.done.push({ at_ms: this.since, ms: at - this.since });
    this.since = null;
  }

  /** All spans; an open span ends at `now`. */
  until(now: number): Span[] {
    return this.since === null ? [...this.done] : [...this.done, { at_ms: this.since, ms: now - this.since }];
  }
}

/** Converts spans to a clock that starts at `zero`, and clips them to `end`. */
export function since(zero: number, end: number, spans: readonly Span[]): Span[] {
  return spans
    .map(({ at_ms, ms }) => ({ from: Math.max(at_ms, zero), to: Math.min(at_ms + ms, end) }))
    .filter(({ from, to }) => to >= from)
    .slice(0, spansAtMost)
    .map(({ from, to }) => ({ at_ms: rounded(from - zero), ms: rounded(to - from) }));
}

/** Merges overlapping spans, in the order of time. */
export function union(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.at_ms - b.at_ms);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.at_ms <= last.at_ms + last.ms) last.ms = Math.max(last.ms, span.at_ms + span.ms - last.at_ms);
    else merged.push({ ...span });
  }
  return merged;
}

/** Subtracts `holes` from `spans`. */
export function without(spans: readonly Span[], holes: readonly Span[]): Span[] {
  return union(holes).reduce<Span[]>(
    (left, hole) =>
      left.flatMap((span) => {
        const end = span.at_ms + span.ms;
        const holeEnd = hole.at_ms + hole.ms;
        if (hole.at_ms >= end || holeEnd <= span.at_ms) return [span];
        const before = { at_ms: span.at_ms, ms: hole.at_ms - span.at_ms };
        const after = { at_ms: holeEnd, ms: end - holeEnd };
        return [before, after].filter((part) => part.ms > 0);
      }),
    [...spans],
  );
}
