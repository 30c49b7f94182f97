import { Trans, useLingui } from '@lingui/react/macro';

import type { CellRow } from '../../shared/api/contract.gen';
import { DataTable } from './DataTable';
import { useGroupName } from './groups';

/** Votes per cell, with their targets. */
export function CellsSection({ cells }: { cells: readonly CellRow[] }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  const votesOf = ({ site, condition, group: key }: CellRow) => {
    const group = groupName(key);
    return t`Votes on ${site}, ${condition}, by ${group}`;
  };
  const roles = { main: t`main`, training: t`training`, identical: t`identical pair`, control: t`control` };
  const votes = cells.reduce((sum, cell) => sum + cell.votes, 0);
  const target = cells.reduce((sum, cell) => sum + cell.target, 0);
  return (
    <section>
      <h2>
        <Trans>Progress per cell</Trans>
      </h2>
      <p className="facts">
        <Trans>
          {votes} of {target} votes. Counted are votes of people whose session is complete, not excluded and not over quota; training and repeats are not.
        </Trans>
      </p>
      <DataTable
        caption={t`Votes per cell`}
        head={[t`kind`, t`role`, t`group`, t`context`, t`site`, t`network`, t`condition`, t`clips`, t`votes`, t`of`, t`progress`]}
        numeric={[7, 8, 9]}
        rows={cells.map((cell) => ({
          key: [cell.kind, cell.role, cell.group, cell.context, cell.site, cell.network, cell.condition].join('/'),
          cells: [
            cell.kind,
            roles[cell.role],
            groupName(cell.group),
            cell.context,
            cell.site,
            cell.network,
            cell.condition,
            cell.clips,
            cell.votes,
            cell.target,
            <progress key="bar" aria-label={votesOf(cell)} max={Math.max(1, cell.target)} value={Math.min(cell.votes, cell.target)} />,
          ],
        }))}
      />
    </section>
  );
}
