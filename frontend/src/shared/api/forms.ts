import * as v from 'valibot';

import type { components } from './contract.gen';

/**
 * Schemas for the server's responses to the participant's pages. Responses are checked at run time, because an unnoticed
 * error would lose a participant's data; staff pages rely only on the types of the contract.
 */

/** A text in the languages of a study. */
export const Text = v.object({ en: v.optional(v.string()), de: v.optional(v.string()) });
export type Text = v.InferOutput<typeof Text>;

const LanguageCode = v.picklist(['en', 'de']);
const AnswerFrom = v.picklist(['start', 'end']);
const Choices = v.array(v.object({ key: v.string(), label: Text }));

export const Question = v.object({ key: v.string(), label: Text, required: v.boolean(), choices: Choices });
export type Question = v.InferOutput<typeof Question>;

/** The window size that a block of trials needs: its largest clip, at its smallest sizes (shared/player/evidence/scale.ts). */
const Room = v.object({
  kind: v.string(),
  clip: v.object({ width_px: v.number(), height_px: v.number() }),
  min_width_px: v.number(),
  min_scale: v.number(),
  min_device_scale: v.number(),
  /** If the window is too small, trials of this block may be skipped; otherwise nobody can start. */
  skippable: v.boolean(),
  trials: v.number(),
  /** Control videos that may be drawn for this block, which `trials` does not count. */
  controls: v.number(),
  /** Estimated length of a trial. */
  trial_s: v.number(),
});

const HttpsUrl = v.pipe(v.string(), v.startsWith('https://'));

/** The recruiter of a link, with the way back for each end before completion; `url` still contains its `{PARAMETER}`s. */
const Recruiter = v.object({
  name: v.string(),
  /** The parameter of the link that carries the recruiter's id of the participant. */
  id_parameter: v.string(),
  ways_back: v.record(v.string(), v.object({ code: v.nullable(v.string()), url: v.nullable(HttpsUrl) })),
});
export type Recruiter = v.InferOutput<typeof Recruiter>;

/** The data about a study that participants may see. */
export const StudyText = v.object({
  title: Text,
  languages: v.array(LanguageCode),
  consent: v.object({ version: v.string(), text: Text }),
  contact: v.string(),
  instructions: Text,
  questions: v.array(Question),
  resume: v.picklist(['resume', 'restart', 'block']),
  trial_count: v.number(),
  /** Estimated length of a session. */
  seconds: v.number(),
  /** One per block of trials. */
  room: v.array(Room),
  ethics: v.nullable(v.object({ board: v.string(), number: v.nullish(v.string()) })),
  retention: v.nullable(v.object({ months: v.number(), text: Text })),
  pay: v.nullable(v.object({ amount: v.number(), currency: v.string() })),
  recruiter: v.nullable(Recruiter),
});
export type StudyText = v.InferOutput<typeof StudyText>;

export const Invitation = v.object({
  ...StudyText.entries,
  state: v.picklist(['open', 'paused', 'closed', 'full']),
});
export type Invitation = v.InferOutput<typeof Invitation>;

export const Clip = v.object({
  url: v.string(),
  bytes: v.number(),
  /** HMAC-SHA-256 of the film's SHA-256, keyed by the last part of `url`. */
  digest: v.string(),
  width_px: v.number(),
  height_px: v.number(),
  frame_rate: v.number(),
  /** Lead-in: the time before navigation start. */
  start_ms: v.number(),
});
export type Clip = v.InferOutput<typeof Clip>;

/** A planned trial; `params` are parsed by the trial's kind. */
const Trial = v.object({
  position: v.number(),
  kind: v.string(),
  kind_version: v.number(),
  context: v.object({ key: v.string(), label: Text }),
  clip: Clip,
  /** Whether the question is shown from the start of the play, or only after its end. */
  answer_from: AnswerFrom,
  /** A training trial, whose answer is not data; the page says so. */
  training: v.boolean(),
  params: v.unknown(),
});
export type Trial = v.InferOutput<typeof Trial>;

/** A control question, asked after `after` trials. Only the server knows the right answer. */
const Control = v.object({ key: v.string(), after: v.number(), label: Text, choices: Choices });
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
  preview: v.boolean(),
  /** Another person may take part in this browser, because no recruiter's id identifies people. */
  allows_another_person: v.boolean(),
  /** What the study allows after an interruption; only with `resume` does the session contain trials. */
  comeback: v.picklist(['resume', 'restart', 'block']),
});
export type Session = v.InferOutput<typeof Session>;

/** The way back to the recruiter: code and URL. Without a URL, participants return by themselves. */
const Back = v.object({ recruiter: v.string(), end: v.picklist(['completed', 'failed_checks', 'incompatible_device']), code: v.nullable(v.string()), url: v.nullable(HttpsUrl) });
export type Back = v.InferOutput<typeof Back>;

/** The end of a session. The server sends the `debriefing` only with the completion code. */
export const Completion = v.object({ completion_code: v.string(), debriefing: v.nullable(Text), back: v.nullable(Back) });
export type Completion = v.InferOutput<typeof Completion>;

/** Schema of a play's receipt. Only a receipt with the id of the play confirms that the server has it. */
export const playReceipt = (id: string) => v.object({ id: v.literal(id), received_at: v.string() });
export const voteReceipt = (id: string) => v.object({ id: v.literal(id), position: v.number(), received_at: v.string() });

/** A span of time; its field defines the zero of `at_ms`. */
export type Span = components['schemas']['SpanIn'];

// The compiler compares these forms with the contract. A form may be narrower in words only ('en' for any string, one
// text for a text per language): `Wide` undoes that, and then the contract's answer must fit into the form. A field that
// the contract lacks, another type or a null that the form does not expect is a type error here.
type Wide<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Wide<Item>[]
    : T extends object
      ? { [K in keyof T]: Wide<T[K]> }
      : T;
type Schemas = components['schemas'];
export type Accepts<Form extends v.GenericSchema, Answer extends Wide<v.InferInput<Form>>> = [Form, Answer];
/** Not used at run time; checked by the compiler. */
export type Checked = [
  Accepts<typeof Invitation, Schemas['Invitation']>,
  Accepts<typeof Session, Schemas['SessionView']>,
  Accepts<typeof Completion, Schemas['Completion']>,
  Accepts<ReturnType<typeof playReceipt>, Schemas['PlayReceipt']>,
  Accepts<ReturnType<typeof voteReceipt>, Schemas['VoteReceipt']>,
];
