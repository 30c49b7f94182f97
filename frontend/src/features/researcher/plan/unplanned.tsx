import { Trans } from '@lingui/react/macro';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

import type { Departure } from '../../../shared/api/contract.gen';

const Unplanned = createContext<ReadonlySet<string>>(new Set());

/** Provides the names of analyses that the plan does not name. */
export function UnplannedAnalyses({ departures, children }: { departures: readonly Departure[]; children: ReactNode }) {
  const names = useMemo(() => new Set(departures.filter(({ kind }) => kind === 'analysis').map(({ subject }) => subject)), [departures]);
  return <Unplanned value={names}>{children}</Unplanned>;
}

/** A badge for an analysis that the plan does not name; `analysis` is the name that the server uses. */
export function NotInPlan({ analysis }: { analysis: string }) {
  if (!useContext(Unplanned).has(analysis)) return null;
  return (
    <>
      {' '}
      <span className="badge">
        <Trans>not in the plan</Trans>
      </span>
    </>
  );
}
