import * as v from 'valibot';

import { Nothing, request } from './request';

export const Scope = v.picklist(['batches', 'studies', 'results']);
export type Scope = v.InferOutput<typeof Scope>;

export const Token = v.object({
  id: v.number(),
  name: v.string(),
  scope: Scope,
  created_at: v.string(),
  expires_at: v.string(),
  last_used_at: v.nullable(v.string()),
});
export type Token = v.InferOutput<typeof Token>;

/** With the token itself, which the server does not keep. */
export const NewToken = v.object({ ...Token.entries, token: v.string() });
export type NewToken = v.InferOutput<typeof NewToken>;

export interface TokenWish {
  name: string;
  scope: Scope;
  days: number;
}

export function getTokens(): Promise<Token[]> {
  return request(v.array(Token), '/api/auth/tokens');
}

export function createToken(wish: TokenWish): Promise<NewToken> {
  return request(NewToken, '/api/auth/tokens', { method: 'POST', json: wish });
}

export function revokeToken(id: number | string): Promise<undefined> {
  return request(Nothing, `/api/auth/tokens/${String(id)}`, { method: 'DELETE' });
}
