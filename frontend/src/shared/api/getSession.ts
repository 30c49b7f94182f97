import { ApiError } from './error';
import { request } from './request';
import { Session } from './session';

/** The session of this browser, or null when it has none. */
export async function getSession(): Promise<Session | null> {
  try {
    return await request(Session, '/api/session');
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
