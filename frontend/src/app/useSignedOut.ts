import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { meKey } from '../shared/account/useMe';
import type { Me } from '../shared/api/contract.gen';
import { ApiError } from '../shared/api/error';

/** Shows the login when the server reports that the staff session has expired, or the account page when a second factor is required. */
export function useSignedOut(): void {
  const cache = useQueryClient();
  useEffect(
    () =>
      cache.getQueryCache().subscribe(({ query }) => {
        const error: unknown = query.state.error;
        const me = cache.getQueryData<Me | null>(meKey);
        if (!(error instanceof ApiError) || me == null) return;
        if (error.code === 'not_signed_in') cache.setQueryData(meKey, null);
        // the platform now requires a second factor
        if (error.code === 'second_factor_setup' && me.second_factor === 'off') cache.setQueryData(meKey, { ...me, second_factor: 'needed' });
      }),
    [cache],
  );
}
