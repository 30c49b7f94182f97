import * as v from 'valibot';

import { LanguageCode, StudyText, Text } from './study';

export const Clip = v.object({
  url: v.string(),
  bytes: v.number(),
  sha256: v.string(),
  width_px: v.number(),
  height_px: v.number(),
  frame_rate: v.number(),
});
export type Clip = v.InferOutput<typeof Clip>;

/** A trial as the server plans it; `params` belong to the trial's kind, which parses them. */
export const Trial = v.object({
  position: v.number(),
  kind: v.string(),
  kind_version: v.number(),
  context: v.nullish(v.object({ key: v.string(), label: Text })),
  clip: Clip,
  /** Whether the question is there from the play's start, or only once it has ended. */
  answer_from: v.picklist(['start', 'end']),
  /** Its answer is no data: the person is told so. */
  training: v.optional(v.boolean()),
  params: v.unknown(),
});
export type Trial = v.InferOutput<typeof Trial>;

/** A question with a right answer, which only the server knows; asked after so many trials. */
export const Control = v.object({
  key: v.string(),
  after: v.number(),
  label: Text,
  choices: v.array(v.object({ key: v.string(), label: Text })),
});
export type Control = v.InferOutput<typeof Control>;

export const Session = v.object({
  id: v.string(),
  state: v.picklist(['started', 'completed', 'restarted']),
  language: LanguageCode,
  study: StudyText,
  person_answered: v.boolean(),
  trials: v.array(Trial),
  answered: v.array(v.number()),
  controls: v.array(Control),
  controls_answered: v.array(v.string()),
  preview: v.optional(v.boolean()),
  /** Somebody else may take part in this browser: no recruiter's id tells people apart. */
  may_begin_anew: v.optional(v.boolean()),
  /** What becomes of one who comes back; only `resume` brings trials. */
  comeback: v.optional(v.picklist(['resume', 'restart', 'block'])),
});
export type Session = v.InferOutput<typeof Session>;
