import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import type { InDepthTableOut } from '../../../shared/api/contract.gen';
import { saveFile } from '../../../shared/api/download';
import { integer } from '../../../shared/i18n/format';
import { type Language, useLanguage } from '../../../shared/i18n/language';
import { csvOf } from '../csv';
import { DataTable } from '../DataTable';
import { useFileName } from '../fileNames';
import { NotInPlan } from '../plan/unplanned';
import { useTableTitle } from './useTableTitle';

const shownRows = 200;

/** One table, collapsed at first. Names of columns are those of the export. */
export function InDepthTable({ table }: { table: InDepthTableOut }) {
  const [open, setOpen] = useState(false);
  const title = useTableTitle(table);
  const count = table.rows.length;
  return (
    <details className="fold" onToggle={(event) => { setOpen(event.currentTarget.open); }}>
      <summary>
        <span>{title}</span> (<Plural value={count} one="# row" other="# rows" />)
        <NotInPlan analysis={table.analysis} />
      </summary>
      {open && <Opened table={table} title={title} />}
    </details>
  );
}

function Opened({ table, title }: { table: InDepthTableOut; title: string }) {
  const { t, i18n } = useLingui();
  const language = useLanguage();
  const { columns, rows } = table;
  const fileName = useFileName(table.name);
  const total = integer(rows.length, language);
  const save = () => { saveFile({ name: `${fileName}.csv`, content: new Blob([csvOf(table)], { type: 'text/csv' }) }); };
  return (
    <>
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
        head={columns.map((column) => column.name)}
        numeric={columns.flatMap((_, place) => (rows.some((row) => typeof row[place] === 'number') ? [place] : []))}
        rows={rows.slice(0, shownRows).map((row, number) => ({ key: String(number), cells: row.map((value) => shown(value, language)) }))}
      />
      <h4>
        <Trans>Meaning of the columns</Trans>
      </h4>
      <ul>
        {columns.map(({ name, meaning }) => {
          const translated = meaning in i18n.messages;
          return (
            <li key={name}>
              <code>{name}</code>: <span lang={translated ? language : 'en'}>{translated ? i18n._(meaning) : meaning}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Fractions with four significant digits; whole numbers with all of theirs. */
function shown(value: string | number | null, language: Language): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (Number.isInteger(value)) return integer(value, language).replace('-', '−');
  const digits = { maximumSignificantDigits: 4 };
  const small = Math.abs(value) < 1e-4 ? { notation: 'scientific' as const } : {};
  return new Intl.NumberFormat(language, { ...digits, ...small }).format(value).replace('-', '−');
}
