import { Nothing, request } from './request';

export function changePassword(change: { current: string; new: string }): Promise<undefined> {
  return request(Nothing, '/api/auth/password', { method: 'POST', json: change });
}
