import * as v from 'valibot';

/** A text in the languages of a study. */
export const Text = v.object({ en: v.optional(v.string()), de: v.optional(v.string()) });
export type Text = v.InferOutput<typeof Text>;

export const LanguageCode = v.picklist(['en', 'de']);

export const Question = v.object({
  key: v.string(),
  label: Text,
  required: v.boolean(),
  choices: v.array(v.object({ key: v.string(), label: Text })),
});
export type Question = v.InferOutput<typeof Question>;

/** What a participant may know about a study. */
export const StudyText = v.object({
  title: Text,
  languages: v.array(LanguageCode),
  consent: v.object({ version: v.string(), text: Text }),
  contact: v.string(),
  instructions: v.nullish(Text),
  questions: v.array(Question),
  trial_count: v.number(),
  minutes: v.number(),
  ethics: v.nullish(v.object({ board: v.string(), number: v.nullish(v.string()) })),
  retention: v.nullish(v.object({ months: v.number(), text: Text })),
  pay: v.nullish(v.object({ amount: v.number(), currency: v.string() })),
  /** What becomes of trials for which a window has no room; where it is `refuse`, nobody may skip them. */
  narrow_window: v.optional(v.picklist(['skip', 'refuse'])),
});
export type StudyText = v.InferOutput<typeof StudyText>;

/** What a block of trials needs room for; `params` belong to its kind. */
export const Room = v.object({
  kind: v.string(),
  kind_version: v.number(),
  clip: v.object({ width_px: v.number(), height_px: v.number() }),
  answer_from: v.picklist(['start', 'end']),
  params: v.unknown(),
});
export type Room = v.InferOutput<typeof Room>;

export const OpenStudy = v.object({
  ...StudyText.entries,
  /** For each of these a window must have room before anyone begins. */
  room: v.optional(v.array(Room)),
  state: v.picklist(['open', 'paused', 'closed', 'full']),
  /** The parameter of this link that carries the recruiter's id of the participant. */
  id_parameter: v.nullish(v.string()),
});
export type OpenStudy = v.InferOutput<typeof OpenStudy>;
