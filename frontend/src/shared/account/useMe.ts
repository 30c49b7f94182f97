import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { Account } from '../api/account';
import { getMe } from '../api/getMe';

export const meKey = ['me'];

export function useMe(): UseQueryResult<Account | null> {
  return useQuery({ queryKey: meKey, queryFn: getMe });
}
