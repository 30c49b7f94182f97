import type { PlayBody } from '../api/putPlay';
import type { VoteBody } from '../api/putVote';

/** One thing on its way to the server. `id` is the idempotency key; `refused` holds the server's sentence when it will never take it. */
export type Envelope = {
  id: string;
  session_id: string;
  created_at_ms: number;
  refused: string | null;
} & ({ kind: 'vote'; body: VoteBody } | { kind: 'play'; body: PlayBody });
