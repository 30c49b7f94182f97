import { lazy, Suspense } from 'react';

import type { LeftoversProps } from './Leftovers';

const LazyLeftovers = lazy(() => import('./Leftovers'));

/** `Leftovers`, loaded lazily. */
export function Leftovers(props: LeftoversProps) {
  return (
    <Suspense>
      <LazyLeftovers {...props} />
    </Suspense>
  );
}
