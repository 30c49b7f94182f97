import { Nothing, request } from './request';

export function logout(): Promise<undefined> {
  return request(Nothing, '/api/auth/logout', { method: 'POST', json: {} });
}
