import { Trans } from '@lingui/react/macro';

import type { TableOut } from '../../../shared/api/contract.gen';
import { FoldedTable } from '../tables/FoldedTable';

/** Answers about the person in the sessions used, one table per question. */
export function DemographicsSection({ tables }: { tables: readonly TableOut[] }) {
  if (tables.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Participants</Trans>
      </h2>
      <p className="facts">
        <Trans>Answers about the person in the sessions used. Counts below 5 are hidden, as are counts from which they could be computed.</Trans>
      </p>
      {tables.map((table) => (
        <FoldedTable key={table.name} table={table} />
      ))}
    </section>
  );
}
