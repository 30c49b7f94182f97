import type { ControlBody, PlayBody, VoteBody } from '../api/participant';

/** An entry to send: a vote, a play, or an answer to a control question. */
export type OutboxEntry = { kind: 'vote'; body: VoteBody } | { kind: 'play'; body: PlayBody } | { kind: 'control'; body: ControlBody };

type Vote = Extract<OutboxEntry, { kind: 'vote' }>;
type Play = Extract<OutboxEntry, { kind: 'play' }>;

/** An entry of the outbox. `id` is the idempotency key; `refused` is the server's message if it rejected the entry permanently. */
export type Envelope = OutboxEntry & { id: string; session_id: string; created_at_ms: number; refused: string | null };

export type PlayEnvelope = Envelope & Play;

/** Combines a vote with the play that it answers; both keep their ids. */
export function withPlay(vote: Vote, { id, body: { started_at, ended_at, replay, evidence } }: PlayEnvelope): Vote {
  return { kind: 'vote', body: { ...vote.body, play: { id, started_at, ended_at, replay, evidence } } };
}

/** Splits a vote and its play into separate envelopes with their ids; null if the envelope has no play. */
export function splitPlay(envelope: Envelope): [Envelope, Envelope] | null {
  if (envelope.kind !== 'vote' || envelope.body.play === null) return null;
  const { id, ...play } = envelope.body.play;
  const { position } = envelope.body;
  return [
    { ...envelope, body: { ...envelope.body, play: null } },
    { ...envelope, kind: 'play', id, body: { position, ...play } },
  ];
}

/** The server's confirmation of a vote. `received_at` is the server's time, `kept_at_ms` the time of this device. */
export interface Receipt {
  id: string;
  session_id: string;
  position: number;
  received_at: string;
  kept_at_ms: number;
}
