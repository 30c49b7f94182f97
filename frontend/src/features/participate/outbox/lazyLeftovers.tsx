import { lazy, Suspense } from 'react';

import type { LeftoversProps } from './Leftovers';

const LazyLeftovers = lazy(() => import('./Leftovers'));

/** `Leftovers`, whose code comes only where something is left. */
export function Leftovers(props: LeftoversProps) {
  return (
    <Suspense>
      <LazyLeftovers {...props} />
    </Suspense>
  );
}
