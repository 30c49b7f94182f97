import { ApiError } from './error';
import { request } from './request';
import { Session } from './session';

/**
 * The session that this browser has begun by a link, or null when it has none. `current` names the session that a page is
 * in the middle of; without it, whoever asks comes back, and the study's policy says what becomes of them.
 */
export async function getSession(slug: string, current?: string, preview = false): Promise<Session | null> {
  try {
    const which = `${current === undefined ? '' : `&session_id=${current}`}${preview ? '&preview=true' : ''}`;
    return await request(Session, `/api/session?slug=${encodeURIComponent(slug)}${which}`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
