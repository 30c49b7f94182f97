import * as v from 'valibot';

import { LanguageCode, Text } from './study';

/** What the consent to one study said, as it was agreed to. */
export const StudyPromise = v.object({
  title: Text,
  languages: v.array(LanguageCode),
  consent_version: v.string(),
  consent: Text,
  retention: v.nullable(Text),
  contact: v.string(),
  /** Null where this browser has the code alone. */
  votes: v.nullable(v.number()),
});
export type StudyPromise = v.InferOutput<typeof StudyPromise>;

/** All that one participant took part in, the session asked about first; by the code alone only what was promised, without an id. */
export const Promises = v.object({ session_id: v.nullable(v.string()), promises: v.array(StudyPromise) });
export type Promises = v.InferOutput<typeof Promises>;

/** What was erased, and the copies that were handed out before. */
export const Withdrawn = v.object({
  erased_at: v.string(),
  sessions: v.number(),
  votes: v.number(),
  plays: v.number(),
  answers_about_person: v.number(),
  recruiter_ids: v.number(),
  snapshots: v.number(),
  exports: v.array(v.object({ exported_at: v.string() })),
});
export type Withdrawn = v.InferOutput<typeof Withdrawn>;
