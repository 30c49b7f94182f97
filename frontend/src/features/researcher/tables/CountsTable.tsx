import { Trans, useLingui } from '@lingui/react/macro';

import type { CountRow } from '../../../shared/api/contract.gen';
import { DataTable } from './DataTable';

/** Every session and vote of the snapshot under one outcome, with their sum. */
export function CountsTable({ counts }: { counts: readonly CountRow[] }) {
  const { t } = useLingui();
  const words: Record<CountRow['outcome'], string> = {
    used: t`used in every figure`,
    excluded: t`excluded by the screening`,
    over_quota: t`over quota`,
    waiting: t`not screened yet`,
    incomplete: t`not complete`,
    simulated: t`simulated`,
  };
  const rows: { key: string; cells: (string | number)[] }[] = counts.map(({ outcome, sessions, votes }) => ({ key: outcome, cells: [words[outcome], sessions, votes] }));
  const sum = (of: 'sessions' | 'votes') => counts.reduce((total, row) => total + row[of], 0);
  return (
    <details className="fold">
      <summary>
        <Trans>Sessions and votes by outcome</Trans>
      </summary>
      <DataTable
        caption={t`Sessions and votes of the snapshot by outcome`}
        head={[t`outcome`, t`sessions`, t`votes`]}
        numeric={[1, 2]}
        rows={[...rows, { key: 'sum', cells: [t`in all`, sum('sessions'), sum('votes')] }]}
      />
    </details>
  );
}
