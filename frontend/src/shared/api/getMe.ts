import { Account } from './account';
import { ApiError } from './error';
import { request } from './request';

/** Who is logged in, or null. Also brings the cookie that later changes must repeat in a header. */
export async function getMe(): Promise<Account | null> {
  try {
    return await request(Account, '/api/auth/me');
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
