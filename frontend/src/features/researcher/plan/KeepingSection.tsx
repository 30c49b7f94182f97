import { Plural, Trans } from '@lingui/react/macro';

import type { ResultsOut } from '../../../shared/api/contract.gen';
import { Departures } from './Departures';
import { LooksTable } from './LooksTable';

/** Whether the study keeps to its plan: departures, and who looked at results by stack while votes came in. */
export function KeepingSection({ results: { departures, looks } }: { results: ResultsOut }) {
  if (departures.length === 0 && looks.length === 0) return null;
  return (
    <section className="keeping">
      <h2>
        <Trans>Departures from the plan</Trans>
      </h2>
      {departures.length === 0 ? (
        <p className="facts">
          <Trans>None is known.</Trans>
        </p>
      ) : (
        <>
          <p className="facts">
            <Trans>Name these in a publication. An analysis that the plan does not name can suggest a hypothesis, but cannot confirm one.</Trans>
          </p>
          <Departures departures={departures} />
        </>
      )}
      {looks.length > 0 && (
        <details className="fold">
          <summary>
            <Plural value={looks.length} one="# look at results by stack during data collection" other="# looks at results by stack during data collection" />
          </summary>
          <LooksTable looks={looks} />
        </details>
      )}
    </section>
  );
}
