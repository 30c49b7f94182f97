import type { ControlBody, PlayBody, VoteBody } from '../api/participant';

/** What a participant did. */
export type Deed = { kind: 'vote'; body: VoteBody } | { kind: 'play'; body: PlayBody } | { kind: 'control'; body: ControlBody };

/** A deed on its way to the server. `id` is the idempotency key; `refused` holds the server's sentence when it will never take it. */
export type Envelope = Deed & { id: string; session_id: string; created_at_ms: number; refused: string | null };

/** That the server holds the vote with this id; `received_at` is the server's word, `kept_at_ms` this device's clock. */
export interface Receipt {
  id: string;
  session_id: string;
  position: number;
  received_at: string;
  kept_at_ms: number;
}
