import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { meKey } from '../shared/account/useMe';
import { ApiError } from '../shared/api/error';

/** Shows the login where the server reports that the staff session has expired. */
export function useSignedOut(): void {
  const cache = useQueryClient();
  useEffect(
    () =>
      cache.getQueryCache().subscribe(({ query }) => {
        const error: unknown = query.state.error;
        if (error instanceof ApiError && error.code === 'not_signed_in' && cache.getQueryData(meKey) != null) cache.setQueryData(meKey, null);
      }),
    [cache],
  );
}
