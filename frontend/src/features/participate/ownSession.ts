import type { Session } from '../../shared/api/session';
import { recall, remember } from '../../shared/lib/storage';

const keyOf = (sessionId: string) => `eyelevel.slug.${sessionId}`;

/** Notes by which link a session began: the cookie alone does not say it, and a browser may have taken part in another study. */
export function noteSession(session: Session, slug: string): void {
  remember(keyOf(session.id), slug);
}

/** False where this browser's session is known to belong to another link. */
export function isOwnSession(session: Session, slug: string): boolean {
  return (recall(keyOf(session.id)) ?? slug) === slug;
}
