import * as v from 'valibot';

import type { PlayRecord } from '../player/evidence/evidence';
import { answer, api } from './client';
import type { components } from './contract.gen';
import { ApiError, unexpectedAnswer } from './error';
import { Completion, Invitation, playReceipt, Session, type Span, voteReceipt } from './forms';

/** API calls of the participant's pages, with responses checked at run time. */

type Schemas = components['schemas'];
export type NewSession = Schemas['SessionIn'];

/** The reason why a clip does not play: no picture in the browser, damaged bytes, or no longer on the server. */
export type PlayFault = Schemas['PlayFault'];

/** One playback of a trial's clip, with its playback telemetry. */
export interface PlayBody extends PlayRecord {
  position: number;
  replay: boolean;
}

/** The play that a vote answers, with the id of the play. */
export type PlayOfVote = Omit<PlayBody, 'position'> & { id: string };

/**
 * The answer to one trial. `answer_ms`: from the end of the first play (or its start, where answers are taken from there)
 * to the last choice. `media_ms`: the position of the clip seen until then. `away`: times when the page was hidden or unfocused
 * between the plays, in ms since the trial was first shown. `play`: null if the last play is sent separately.
 */
export interface VoteBody extends Required<Omit<Schemas['VoteIn'], 'session_id' | 'play'>> {
  away: Span[];
  play: PlayOfVote | null;
}

/** The answer to a control question; its key makes the call idempotent. */
export interface ControlBody {
  key: string;
  choice: string;
}

async function checked<Form extends v.GenericSchema>(form: Form, call: Parameters<typeof answer>[0]): Promise<v.InferOutput<Form>> {
  const parsed = v.safeParse(form, await answer(call));
  if (parsed.success) return parsed.output;
  console.error('unexpected answer:', v.summarize(parsed.issues));
  throw unexpectedAnswer();
}

export function getInvitation(slug: string): Promise<Invitation> {
  return checked(Invitation, api.GET('/api/participate/{slug}', { params: { path: { slug } } }));
}

/**
 * Returns the session that this browser started with a link, or null. `current` is the id of the session that the page
 * is showing; without it, the response says what the study allows after an interruption.
 */
export async function getSession(slug: string, current?: string, preview = false): Promise<Session | null> {
  try {
    const query = { slug, ...(current === undefined ? {} : { session_id: current }), ...(preview ? { preview } : {}) };
    return (await checked(v.optional(Session), api.GET('/api/session', { params: { query } }))) ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export function createSession(slug: string, body: NewSession): Promise<Session> {
  return checked(Session, api.POST('/api/participate/{slug}/sessions', { params: { path: { slug } }, body }));
}

/** Creates a preview session of a researcher, which stores no study data. */
export function createPreview(slug: string, body: NewSession): Promise<Session> {
  return checked(Session, api.POST('/api/research/fieldings/{slug}/preview', { params: { path: { slug } }, body }));
}

export function putPerson(sessionId: string, answers: Record<string, string>): Promise<undefined> {
  return answer(api.PUT('/api/session/person', { body: { session_id: sessionId, answers } }));
}

export function putControl(sessionId: string, { key, choice }: ControlBody): Promise<undefined> {
  return answer(api.PUT('/api/session/controls/{key}', { params: { path: { key } }, body: { session_id: sessionId, choice } }));
}

/** Sends a play. The request continues if the page is closed, as in `putVote`. */
export function putPlay(id: string, sessionId: string, body: PlayBody): Promise<{ received_at: string }> {
  const evidence = { ...body.evidence };
  return checked(playReceipt(id), api.PUT('/api/session/plays/{play_id}', { params: { path: { play_id: id } }, body: { session_id: sessionId, ...body, evidence }, keepalive: true }));
}

export function putVote(id: string, sessionId: string, body: VoteBody): Promise<{ received_at: string }> {
  const play = body.play === null ? null : { ...body.play, evidence: { ...body.play.evidence } };
  return checked(voteReceipt(id), api.PUT('/api/session/votes/{vote_id}', { params: { path: { vote_id: id } }, body: { session_id: sessionId, ...body, play }, keepalive: true }));
}

/** Reports that a clip did not play. Only a count is stored, nothing about the session; a failed call is not retried. */
export function postPlayFailure(sessionId: string, position: number, fault: PlayFault): Promise<undefined> {
  return answer(api.POST('/api/session/play-failures', { body: { session_id: sessionId, position, fault } }));
}

export function finishSession(sessionId: string, skipped: number[]): Promise<Completion> {
  return checked(Completion, api.POST('/api/session/finish', { body: { session_id: sessionId, skipped } }));
}
