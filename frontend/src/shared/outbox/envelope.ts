import type { ControlBody, PlayBody, VoteBody } from '../api/participant';

/** What a participant did: a vote, a play, or an answer to a control question. */
export type Deed = { kind: 'vote'; body: VoteBody } | { kind: 'play'; body: PlayBody } | { kind: 'control'; body: ControlBody };

/** An entry of the outbox. `id` is the idempotency key; `refused` is the server's message where it rejected the entry for good. */
export type Envelope = Deed & { id: string; session_id: string; created_at_ms: number; refused: string | null };

/** The server's confirmation of a vote. `received_at` is the server's time, `kept_at_ms` the time of this device. */
export interface Receipt {
  id: string;
  session_id: string;
  position: number;
  received_at: string;
  kept_at_ms: number;
}
