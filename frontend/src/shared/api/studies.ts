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

export const StudyDetail = v.object({ ...Study.entries, cells: v.array(Cell), study: v.record(v.string(), v.unknown()) });
export type StudyDetail = v.InferOutput<typeof StudyDetail>;
