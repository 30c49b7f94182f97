import * as v from 'valibot';

import type { PlayRecord } from '../player/evidence/evidence';
import { answer, api } from './client';
import type { components } from './contract.gen';
import { ApiError, unexpectedAnswer } from './error';
import { Completion, Invitation, playReceipt, Session, type Span, voteReceipt } from './forms';

/** The calls of the participant's pages, with their answers checked at run time. */

type Schemas = components['schemas'];
export type NewSession = Schemas['SessionIn'];

/** Why a clip does not play: the browser shows no picture, the bytes are not the clip's, or the server has it no longer. */
export type PlayFault = Schemas['PlayFault'];

/** One playback of a trial's clip, with its playback telemetry. */
export interface PlayBody extends PlayRecord {
  position: number;
  replay: boolean;
}

/** The play that a vote answers, under its own id. */
export type PlayOfVote = Omit<PlayBody, 'position'> & { id: string };

/**
 * The answer to one trial. `answer_ms`: from the end of the first play (or its start, where answers are taken from there)
 * to the last choice. `media_ms`: how far the clip had been seen by then. `away`: when the page was hidden or unfocused
 * between the plays, in ms since the trial was first shown. `play`: null where the last play is sent on its own.
 */
export interface VoteBody extends Required<Omit<Schemas['VoteIn'], 'session_id' | 'play'>> {
  away: Span[];
  play: PlayOfVote | null;
}

/** The answer to a control question; its key makes a repeat harmless. */
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
 * The session that this browser began by a link, or null when it has none. `current` names the session that a page is
 * in the middle of; without it, the answer says what the study allows after an interruption.
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

/** Begins a preview: a researcher's own session, of which nothing is stored as data. */
export function createPreview(slug: string, body: NewSession): Promise<Session> {
  return checked(Session, api.POST('/api/research/fieldings/{slug}/preview', { params: { path: { slug } }, body }));
}

export function putPerson(sessionId: string, answers: Record<string, string>): Promise<undefined> {
  return answer(api.PUT('/api/session/person', { body: { session_id: sessionId, answers } }));
}

export function putControl(sessionId: string, { key, choice }: ControlBody): Promise<undefined> {
  return answer(api.PUT('/api/session/controls/{key}', { params: { path: { key } }, body: { session_id: sessionId, choice } }));
}

/** Goes on when the page is closed, as does `putVote`. */
export function putPlay(id: string, sessionId: string, body: PlayBody): Promise<{ received_at: string }> {
  const evidence = { ...body.evidence };
  return checked(playReceipt(id), api.PUT('/api/session/plays/{play_id}', { params: { path: { play_id: id } }, body: { session_id: sessionId, ...body, evidence }, keepalive: true }));
}

export function putVote(id: string, sessionId: string, body: VoteBody): Promise<{ received_at: string }> {
  const play = body.play === null ? null : { ...body.play, evidence: { ...body.play.evidence } };
  return checked(voteReceipt(id), api.PUT('/api/session/votes/{vote_id}', { params: { path: { vote_id: id } }, body: { session_id: sessionId, ...body, play }, keepalive: true }));
}

/** Counts that a clip did not play; nothing about the session is stored, and a lost call is not repeated. */
export function postPlayFailure(sessionId: string, position: number, fault: PlayFault): Promise<undefined> {
  return answer(api.POST('/api/session/play-failures', { body: { session_id: sessionId, position, fault } }));
}

export function finishSession(sessionId: string, skipped: number[]): Promise<Completion> {
  return checked(Completion, api.POST('/api/session/finish', { body: { session_id: sessionId, skipped } }));
}
