import * as v from 'valibot';

const known = v.nullable(v.number());

/** Mean opinion score on the seven-point scale, with a 95 % interval; null where a figure is unknown. */
export const Mos = v.object({
  site: v.string(),
  network: v.string(),
  stack: v.string(),
  context: v.string(),
  n: v.number(),
  mos: known,
  ci_low: known,
  ci_high: known,
  sd: known,
});
export type Mos = v.InferOutput<typeof Mos>;

/** Who preferred which of two stacks; `share_a` with its Wilson interval. */
export const Comparison = v.object({
  site: v.string(),
  network: v.string(),
  stack_a: v.string(),
  stack_b: v.string(),
  context: v.string(),
  n: v.number(),
  prefer_a: v.number(),
  prefer_b: v.number(),
  no_difference: v.number(),
  share_a: known,
  ci_low: known,
  ci_high: known,
});
export type Comparison = v.InferOutput<typeof Comparison>;

export const Metric = v.picklist(['fvc', 'si', 'vc85', 'lvc', 'plt']);
export type Metric = v.InferOutput<typeof Metric>;

export const Correlation = v.object({
  network: v.string(),
  metric: Metric,
  clips: v.number(),
  votes: v.number(),
  pearson: known,
  spearman: known,
  pearson_ci_low: known,
  pearson_ci_high: known,
  p_value: known,
});
export type Correlation = v.InferOutput<typeof Correlation>;

/** One clip: its MOS and its metrics. */
export const Point = v.object({
  clip_sha256: v.string(),
  site: v.string(),
  network: v.string(),
  stack: v.string(),
  n: v.number(),
  mos: known,
  fvc_ms: known,
  si_ms: known,
  vc85_ms: known,
  lvc_ms: known,
  plt_ms: known,
});
export type Point = v.InferOutput<typeof Point>;

/** The mean of a kind of trial with a scale of its own, such as the slider's 0 to 100. */
export const Value = v.object({
  kind: v.string(),
  site: v.string(),
  network: v.string(),
  stack: v.string(),
  context: v.string(),
  n: v.number(),
  mean: v.number(),
  ci_low: known,
  ci_high: known,
  sd: known,
});
export type Value = v.InferOutput<typeof Value>;

/** Answers about pairs that show one stack twice; `share_different` saw a difference, with its Wilson interval. */
export const IdenticalAnswers = v.object({
  n: v.number(),
  participants: v.number(),
  chose_left: v.number(),
  chose_right: v.number(),
  no_difference: v.number(),
  share_different: v.number(),
  ci_low: v.number(),
  ci_high: v.number(),
});
export type IdenticalAnswers = v.InferOutput<typeof IdenticalAnswers>;

export const Identical = v.object({ ...IdenticalAnswers.entries, network: v.string(), stack: v.string() });
export type Identical = v.InferOutput<typeof Identical>;

/** Questions asked twice; `mean_difference` is null where answers are words. */
export const Repeat = v.object({
  kind: v.string(),
  n: v.number(),
  participants: v.number(),
  equal: v.number(),
  share_equal: v.number(),
  ci_low: v.number(),
  ci_high: v.number(),
  mean_difference: known,
});
export type Repeat = v.InferOutput<typeof Repeat>;

export const Results = v.object({
  /** The study is in the field and nobody has asked to see its results yet here: all tables are empty. */
  blinded: v.boolean(),
  status: v.picklist(['none', 'fresh', 'stale', 'running']),
  snapshot: v.nullable(v.object({ sha256: v.string(), created_at: v.string(), votes: v.number(), sessions: v.number() })),
  mos: v.array(Mos),
  comparisons: v.array(Comparison),
  correlations: v.array(Correlation),
  points: v.array(Point),
  values: v.array(Value),
  identical: v.array(Identical),
  identical_all: v.nullable(IdenticalAnswers),
  repeats: v.array(Repeat),
  /** Of the sessions that count: programs, no people. */
  simulated_sessions: v.number(),
});
export type Results = v.InferOutput<typeof Results>;
