import type { ReactNode } from 'react';

interface Props {
  caption: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** Indexes of columns that are aligned right. */
  numeric?: readonly number[];
  /** `wide`: may be wider than the text of the page; `small`: a few short columns; `wrapped`: sentences in the cells. */
  size?: 'text' | 'wide' | 'small' | 'wrapped';
}

export function DataTable({ caption, head, rows, numeric = [], size = 'text' }: Props) {
  const align = (column: number) => (numeric.includes(column) ? 'numeric' : undefined);
  return (
    // a wide table scrolls by itself, also with the keyboard
    // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex
    <div className={`table table--${size}`} role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {head.map((title, column) => (
              <th key={title} scope="col" className={align(column)}>
                {/* column headings may wrap, but not between a number and its sign */}
                {title.replaceAll(' %', '\u00a0%')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {row.cells.map((cell, column) => (
                <td key={head[column]} className={align(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
