/** A stretch of time. What `at_ms` counts from, its field says. */
export interface Span {
  at_ms: number;
  ms: number;
}
