import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import { answer, api } from '../api/client';
import type { Me, Role } from '../api/contract.gen';
import { ApiError } from '../api/error';

export const meKey = ['me'];

/** Account roles, from the fewest rights to the most. */
export const roles = ['guest', 'researcher', 'admin'] as const satisfies readonly Role[];

/** Returns the account that is logged in, or null. Also sets the CSRF cookie. */
async function getMe(): Promise<Me | null> {
  try {
    return await answer(api.GET('/api/auth/me'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export function useMe(): UseQueryResult<Me | null> {
  return useQuery({ queryKey: meKey, queryFn: getMe });
}
