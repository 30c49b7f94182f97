import { Account } from './account';
import { request } from './request';

export function login(credentials: { username: string; password: string }): Promise<Account> {
  return request(Account, '/api/auth/login', { method: 'POST', json: credentials });
}
