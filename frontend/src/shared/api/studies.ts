import * as v from 'valibot';

import { Text } from './study';

export const FieldingState = v.picklist(['open', 'paused', 'closed']);
export type FieldingState = v.InferOutput<typeof FieldingState>;

export const Fielding = v.object({
  slug: v.string(),
  group: v.string(),
  state: FieldingState,
  quota: v.number(),
  sessions_started: v.number(),
  sessions_completed: v.number(),
  participant_url: v.string(),
});
export type Fielding = v.InferOutput<typeof Fielding>;

/** Who takes part; its label is for the researcher, and empty where the study file has none. */
export const Group = v.object({ key: v.string(), label: Text });
export type Group = v.InferOutput<typeof Group>;

export const Study = v.object({
  sha256: v.string(),
  name: v.string(),
  title: Text,
  published_at: v.string(),
  /** Null where it is the admins'. */
  owner: v.nullable(v.string()),
  /** What the one who asks may do with it. */
  rights: v.array(v.string()),
  trial_count: v.number(),
  votes: v.number(),
  sessions: v.object({ started: v.number(), completed: v.number() }),
  groups: v.array(Group),
  fieldings: v.array(Fielding),
});
export type Study = v.InferOutput<typeof Study>;

export const Cell = v.object({
  kind: v.string(),
  role: v.picklist(['main', 'identical', 'control']),
  group: v.string(),
  context: v.string(),
  site: v.string(),
  network: v.string(),
  condition: v.string(),
  clips: v.number(),
  votes: v.number(),
  target: v.number(),
});
export type Cell = v.InferOutput<typeof Cell>;

/** What the study file says of its analysis, in words of one language. */
export const Plan = v.object({
  hypotheses: v.array(v.object({ key: v.string(), says: v.string(), margin: v.optional(v.number()) })),
  model: v.optional(v.string()),
  exclusions: v.optional(v.string()),
  stopping: v.optional(v.string()),
});
export type Plan = v.InferOutput<typeof Plan>;

/** Of the frozen file, what its page tells; studies from before there were plans have none. */
const Frozen = v.object({ study: v.object({ plan: v.optional(Plan) }) });

export const StudyDetail = v.object({ ...Study.entries, cells: v.array(Cell), study: Frozen });
export type StudyDetail = v.InferOutput<typeof StudyDetail>;
