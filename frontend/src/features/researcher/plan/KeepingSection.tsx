import { Trans } from '@lingui/react/macro';

import type { ResultsOut } from '../../../shared/api/contract.gen';
import { FoldedTable } from '../tables/FoldedTable';
import { Departures } from './Departures';

/** Departures from the plan, and looks at results by stack during data collection. */
export function KeepingSection({ results: { departures, looks } }: { results: ResultsOut }) {
  if (departures.length === 0 && looks.rows.length === 0) return null;
  return (
    <section className="keeping">
      <h2>
        <Trans>Departures from the plan</Trans>
      </h2>
      {departures.length === 0 ? (
        <p className="facts">
          <Trans>No departures are known.</Trans>
        </p>
      ) : (
        <>
          <p className="facts">
            <Trans>Report these in a publication. An analysis that the plan does not name can suggest a hypothesis, but cannot confirm one.</Trans>
          </p>
          <Departures departures={departures} />
        </>
      )}
      {looks.rows.length > 0 && <FoldedTable table={looks} />}
    </section>
  );
}
