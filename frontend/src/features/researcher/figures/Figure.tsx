import { Trans } from '@lingui/react/macro';
import { useLayoutEffect, useRef } from 'react';

import type { FigureOut } from '../../../shared/api/contract.gen';
import { decimal } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { DataTable } from '../tables/DataTable';
import { redraw } from './drawing';
import { FigureDownloads } from './FigureDownloads';

/** A figure drawn by the server, with reading instructions, table and downloads. */
export function Figure({ figure }: { figure: FigureOut }) {
  const place = useRef<HTMLDivElement>(null);
  const { svg } = figure;
  useLayoutEffect(() => {
    if (place.current !== null) redraw(place.current, svg);
  }, [svg]);
  return (
    <figure className="figure">
      <div ref={place} />
      <details>
        <summary>
          <Trans>How to read this</Trans>
        </summary>
        <p className="facts">{figure.how_to_read}</p>
      </details>
      <details>
        <summary>
          <Trans>As a table</Trans>
        </summary>
        <FigureTable figure={figure} />
      </details>
      <FigureDownloads figure={figure} />
    </figure>
  );
}

function FigureTable({ figure: { title, table } }: { figure: FigureOut }) {
  const language = useLanguage();
  const { columns, rows } = table;
  const isNumber = (column: number) => rows.some((row) => typeof row[column] === 'number');
  const shown = (value: string | number | null, digits: number | null) => {
    if (value === null) return '–';
    return typeof value === 'number' && digits !== null ? decimal(value, digits, language) : value;
  };
  return (
    <DataTable
      caption={title}
      head={columns.map(({ label }) => label)}
      numeric={columns.flatMap((_, column) => (isNumber(column) ? [column] : []))}
      rows={rows.map((row, number) => ({ key: String(number), cells: row.map((value, column) => shown(value, columns[column]?.digits ?? null)) }))}
    />
  );
}
