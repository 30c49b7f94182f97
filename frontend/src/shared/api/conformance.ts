import * as v from 'valibot';

/** A rule of the study: who breaks it is left out where `use`, and paid all the same where `pay`. */
export const Rule = v.object({ rule: v.string(), use: v.boolean(), pay: v.boolean(), thresholds: v.record(v.string(), v.number()) });
export type Rule = v.InferOutput<typeof Rule>;

/** How many broke a rule, whatever the others say, and how many are left after it and all before. */
export const Step = v.object({ rule: v.string(), broken: v.number(), unknown: v.number(), left: v.number() });
export type Step = v.InferOutput<typeof Step>;

export const GroupFunnel = v.object({
  group: v.string(),
  started: v.number(),
  completed: v.number(),
  waiting: v.number(),
  steps: v.array(Step),
  /** Left after the last rule and not used all the same, by the reason. */
  otherwise: v.record(v.string(), v.number()),
  used: v.number(),
  accepted: v.number(),
  /** Completed, but without trials that a narrow window left out. */
  skipped: v.number(),
});
export type GroupFunnel = v.InferOutput<typeof GroupFunnel>;

/** Plays; how many of them were off true speed, stalled, had dropped frames, or were of a speed not known. */
export const Watched = v.object({ played: v.number(), off_speed: v.number(), stalled: v.number(), dropped: v.number(), unknown: v.number() });
export type Watched = v.InferOutput<typeof Watched>;

export const GroupWatched = v.object({ group: v.string(), ...Watched.entries });
export type GroupWatched = v.InferOutput<typeof GroupWatched>;

export const Conformance = v.object({ version: v.number(), rules: v.array(Rule), groups: v.array(GroupFunnel), watched: v.array(GroupWatched), may_pay: v.boolean() });
export type Conformance = v.InferOutput<typeof Conformance>;

export const Finding = v.object({
  rule: v.string(),
  broken: v.picklist(['yes', 'no', 'unknown']),
  reason: v.string(),
  trials: v.array(v.number()),
  unknown: v.number(),
});
export type Finding = v.InferOutput<typeof Finding>;

/** A session and the verdict on it; null until there is one. */
export const SessionVerdict = v.object({
  session_id: v.string(),
  group: v.string(),
  origin: v.string(),
  state: v.string(),
  started_at: v.nullable(v.string()),
  completed_at: v.nullable(v.string()),
  accepted: v.nullable(v.boolean()),
  used: v.nullable(v.boolean()),
  /** Trials that a narrow window left out. */
  skipped: v.number(),
  left_out_by: v.array(v.string()),
  findings: v.array(Finding),
  watched: Watched,
});
export type SessionVerdict = v.InferOutput<typeof SessionVerdict>;
