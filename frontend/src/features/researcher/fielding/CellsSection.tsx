import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import type { CellRow } from '../../../shared/api/contract.gen';
import { useGroupName } from '../pageContext';
import { DataTable } from '../tables/DataTable';

/** With more cells than this, the page shows sums, and single cells on request. */
const MANY = 60;

/** Votes per cell, with their targets; without cells that nobody is asked about, such as identical pairs beyond their share. */
export function CellsSection({ cells: all }: { cells: readonly CellRow[] }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const cells = all.filter(({ votes, target }) => target > 0 || votes > 0);
  const { votes, target } = sumOf(cells);
  const count = cells.length;
  return (
    <section>
      <h2>
        <Trans>Progress per cell</Trans>
      </h2>
      <p className="facts">
        <Trans>
          {votes} of {target} votes. A vote counts if its session is complete, not excluded and not over quota. Training, repeats and simulated sessions do not count.
        </Trans>
      </p>
      {count > MANY ? (
        <>
          <SumsTable cells={cells} />
          <details className="fold" onToggle={(event) => { setOpen(event.currentTarget.open); }}>
            <summary>{t`Votes per cell (${count} cells)`}</summary>
            {open && <CellsTable cells={cells} />}
          </details>
        </>
      ) : (
        <CellsTable cells={cells} />
      )}
    </section>
  );
}

function CellsTable({ cells }: { cells: readonly CellRow[] }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  const roles = useRoles();
  const votesOf = ({ site, condition, group: key }: CellRow) => {
    const group = groupName(key);
    return t`Votes on ${site}, ${condition}, by ${group}`;
  };
  return (
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
          <Bar key="bar" label={votesOf(cell)} votes={cell.votes} target={cell.target} />,
        ],
      }))}
    />
  );
}

/** One row for all cells of a kind, role, group and network. */
function SumsTable({ cells }: { cells: readonly CellRow[] }) {
  const { t } = useLingui();
  const groupName = useGroupName();
  const roles = useRoles();
  const parts = new Map<string, [CellRow, ...CellRow[]]>();
  for (const cell of cells) {
    const key = [cell.kind, cell.role, cell.group, cell.network].join('/');
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [cell]);
    else part.push(cell);
  }
  const votesOf = ({ network, group: key }: CellRow) => {
    const group = groupName(key);
    return t`Votes on ${network}, by ${group}`;
  };
  return (
    <DataTable
      caption={t`Votes by kind, role, group and network`}
      head={[t`kind`, t`role`, t`group`, t`network`, t`cells`, t`complete`, t`votes`, t`of`, t`progress`]}
      numeric={[4, 5, 6, 7]}
      rows={[...parts].map(([key, part]) => {
        const [first] = part;
        const { votes, target, complete, filled } = sumOf(part);
        return {
          key,
          cells: [
            first.kind,
            roles[first.role],
            groupName(first.group),
            first.network,
            part.length,
            complete,
            votes,
            target,
            <Bar key="bar" label={votesOf(first)} votes={filled} target={target} />,
          ],
        };
      })}
    />
  );
}

function Bar({ label, votes, target }: { label: string; votes: number; target: number }) {
  return <progress aria-label={label} max={Math.max(1, target)} value={Math.min(votes, target)} />;
}

function useRoles() {
  const { t } = useLingui();
  return { main: t`main`, training: t`training`, identical: t`identical pair`, control: t`control` };
}

function sumOf(cells: readonly CellRow[]) {
  return {
    votes: cells.reduce((sum, cell) => sum + cell.votes, 0),
    target: cells.reduce((sum, cell) => sum + cell.target, 0),
    // votes beyond the target of a cell do not fill another cell
    filled: cells.reduce((sum, cell) => sum + Math.min(cell.votes, cell.target), 0),
    complete: cells.filter((cell) => cell.target > 0 && cell.votes >= cell.target).length,
  };
}
