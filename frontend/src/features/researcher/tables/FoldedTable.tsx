import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import type { TableOut } from '../../../shared/api/contract.gen';
import { saveFile } from '../../../shared/api/download';
import { integer } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { csvOf } from '../export/csv';
import { useFileName } from '../export/fileNames';
import { NotInPlan } from '../plan/unplanned';
import { DataTable } from './DataTable';
import { useCells } from './useCells';

const shownRows = 200;

/** A table declared by the server, collapsed at first. Its CSV file has the columns of the export. */
export function FoldedTable({ table }: { table: TableOut }) {
  const [open, setOpen] = useState(false);
  const count = table.rows.length;
  return (
    <details className="fold" onToggle={(event) => { setOpen(event.currentTarget.open); }}>
      <summary>
        <span>{table.title}</span> (<Plural value={count} one="# row" other="# rows" />)
        <NotInPlan analysis={table.analysis} />
      </summary>
      {open && <Opened table={table} />}
    </details>
  );
}

function Opened({ table }: { table: TableOut }) {
  const { t } = useLingui();
  const language = useLanguage();
  const cells = useCells(table.columns);
  const { title, note, columns, rows } = table;
  const fileName = useFileName(table.name);
  const total = integer(rows.length, language);
  const ends = new Set(columns.map(({ until }) => until));
  const shown = columns.filter(({ name, format }) => format !== 'hidden' && !ends.has(name));
  const save = () => { saveFile({ name: `${fileName}.csv`, content: new Blob([csvOf(table)], { type: 'text/csv' }) }); };
  return (
    <>
      {note !== '' && <p className="facts">{note}</p>}
      {rows.length > shownRows && (
        <p className="facts">
          <Trans>
            The first {shownRows} of {total} rows; the CSV file has all.
          </Trans>
        </p>
      )}
      <p className="facts">
        <button type="button" className="button button--quiet button--small" aria-label={t`Download ${title} as CSV`} onClick={save}>
          CSV
        </button>
      </p>
      <DataTable
        caption={title}
        head={shown.map((column) => column.title)}
        numeric={shown.flatMap(({ type }, place) => (type === 'integer' || type === 'number' ? [place] : []))}
        rows={rows.slice(0, shownRows).map((row, number) => ({ key: String(number), cells: shown.map((column) => cells(row, column)) }))}
      />
      <h4>
        <Trans>Meaning of the columns</Trans>
      </h4>
      <ul>
        {columns.map(({ name, meaning }) => (
          <li key={name}>
            <code>{name}</code>: {meaning}
          </li>
        ))}
      </ul>
    </>
  );
}
