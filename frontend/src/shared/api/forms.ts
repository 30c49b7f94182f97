import * as v from 'valibot';

import type { components } from './contract.gen';

/**
 * What the participant's pages accept of the server's answers. These are checked at run time, because a wrong
 * answer that went unnoticed here would cost a participant's data; staff pages rely on the contract's types alone.
 */

/** A text in the languages of a study. */
export const Text = v.object({ en: v.optional(v.string()), de: v.optional(v.string()) });
export type Text = v.InferOutput<typeof Text>;

const LanguageCode = v.picklist(['en', 'de']);
const AnswerFrom = v.picklist(['start', 'end']);
const Choices = v.array(v.object({ key: v.string(), label: Text }));

export const Question = v.object({ key: v.string(), label: Text, required: v.boolean(), choices: Choices });
export type Question = v.InferOutput<typeof Question>;

/** The window that a block of trials needs: for its largest clip, at its smallest sizes (shared/player/scale.ts). */
const Room = v.object({
  kind: v.string(),
  clip: v.object({ width_px: v.number(), height_px: v.number() }),
  min_width_px: v.number(),
  min_scale: v.number(),
  min_device_scale: v.number(),
  /** Without this room its trials may be skipped; otherwise nobody can begin. */
  skippable: v.boolean(),
  trials: v.number(),
  /** Control videos that may be drawn for this block, which `trials` does not count. */
  controls: v.number(),
  /** Estimated length of a trial. */
  trial_s: v.number(),
});

const HttpsUrl = v.pipe(v.string(), v.startsWith('https://'));

/** Who sends the participants of a link, and how each end before completion sends them back; `url` still has its `{PARAMETER}`s. */
const Recruiter = v.object({
  name: v.string(),
  /** The parameter of the link that carries the recruiter's id of the participant. */
  id_parameter: v.string(),
  ways_back: v.record(v.string(), v.object({ code: v.nullable(v.string()), url: v.nullable(HttpsUrl) })),
});
export type Recruiter = v.InferOutput<typeof Recruiter>;

/** What a participant may know about a study. */
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
  /** Lead-in: how long the film stands still before its load begins. */
  start_ms: v.number(),
});
export type Clip = v.InferOutput<typeof Clip>;

/** A trial as the server planned it; `params` belong to the trial's kind, which parses them. */
const Trial = v.object({
  position: v.number(),
  kind: v.string(),
  kind_version: v.number(),
  context: v.object({ key: v.string(), label: Text }),
  clip: Clip,
  /** Whether the question is shown from the start of the play, or only after its end. */
  answer_from: AnswerFrom,
  /** Its answer is not data, and the participant is told so. */
  training: v.boolean(),
  params: v.unknown(),
});
export type Trial = v.InferOutput<typeof Trial>;

/** A control question. Only the server knows the right answer. It is asked after so many trials. */
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
  /** Another person may take part in this browser: no recruiter's id tells people apart. */
  may_begin_anew: v.boolean(),
  /** What the study allows after an interruption; only `resume` brings trials. */
  comeback: v.picklist(['resume', 'restart', 'block']),
});
export type Session = v.InferOutput<typeof Session>;

/** Sends a participant back to the recruiter, with the code to hand in there. Without a URL they return by themselves. */
const Back = v.object({ recruiter: v.string(), end: v.picklist(['completed', 'failed_checks', 'incompatible_device']), code: v.nullable(v.string()), url: v.nullable(HttpsUrl) });
export type Back = v.InferOutput<typeof Back>;

/** The server sends the `debriefing` (what the study was about) with the code and not before. */
export const Completion = v.object({ completion_code: v.string(), debriefing: v.nullable(Text), back: v.nullable(Back) });
export type Completion = v.InferOutput<typeof Completion>;

/** Only a receipt with the play's own id confirms that the server has it. */
export const playReceipt = (id: string) => v.object({ id: v.literal(id), received_at: v.string() });
export const voteReceipt = (id: string) => v.object({ id: v.literal(id), position: v.number(), received_at: v.string() });

/** A stretch of time; the field that has it says what `at_ms` counts from. */
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
/** Never used: it exists to be compiled. */
export type Checked = [
  Accepts<typeof Invitation, Schemas['Invitation']>,
  Accepts<typeof Session, Schemas['SessionView']>,
  Accepts<typeof Completion, Schemas['Completion']>,
  Accepts<ReturnType<typeof playReceipt>, Schemas['PlayReceipt']>,
  Accepts<ReturnType<typeof voteReceipt>, Schemas['VoteReceipt']>,
];
