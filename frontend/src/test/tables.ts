import type { TableColumnOut, TableOut } from '../shared/api/contract.gen';

/** A column as the server declares it; one of whole numbers where its format is `count`. */
export function column(name: string, format: TableColumnOut['format'] = 'text', more: Partial<TableColumnOut> = {}): TableColumnOut {
  return { name, title: name, meaning: `what ${name} means`, type: format === 'count' ? 'integer' : 'string', unit: null, format, until: null, words: {}, ...more };
}

export function tableOf(title: string, columns: TableColumnOut[], rows: TableOut['rows']): TableOut {
  return { name: title.toLowerCase().replaceAll(' ', '-'), title, note: '', analysis: '', columns, rows };
}
