import { Trans } from '@lingui/react/macro';

import type { TableOut } from '../../../shared/api/contract.gen';
import { FoldedTable } from './FoldedTable';

/** All result tables that have rows. */
export function ResultTables({ tables }: { tables: readonly TableOut[] }) {
  if (tables.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Tables</Trans>
      </h2>
      {tables.map((table) => (
        <FoldedTable key={table.name} table={table} />
      ))}
    </section>
  );
}
