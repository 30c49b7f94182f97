import { ApiError } from './error';
import { request } from './request';
import { Promises } from './withdrawals';

/** What was promised to this browser's participant; null where the browser has no session. */
export async function getOwnPromises(): Promise<Promises | null> {
  try {
    return await request(Promises, '/api/withdrawals/own');
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_session') return null;
    throw error;
  }
}
