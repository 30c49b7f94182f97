interface Table {
  columns: readonly { name: string }[];
  rows: readonly (readonly Value[])[];
}
type Value = string | number | boolean | null;

/** Formats a table as CSV (RFC 4180) like the export: numbers in full precision, unknown values empty, text that starts like a formula escaped. */
export function csvOf({ columns, rows }: Table): string {
  const lines = [columns.map(({ name }) => name), ...rows];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

function cell(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
