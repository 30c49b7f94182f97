import type { InDepthTableOut } from '../../../shared/api/contract.gen';

type Value = InDepthTableOut['rows'][number][number];

/** The whole table as CSV (RFC 4180), as the export writes it: unknown is empty, and text never starts a formula. */
export function tableCsv({ columns, rows }: InDepthTableOut): string {
  const lines = [columns.map(({ name }) => name), ...rows];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

function cell(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
