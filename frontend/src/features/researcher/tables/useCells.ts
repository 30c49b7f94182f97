import { useLingui } from '@lingui/react/macro';

import type { TableColumnOut, TableOut } from '../../../shared/api/contract.gen';
import { dateTime, decimal, integer, percent } from '../../../shared/i18n/format';
import { type Language, useLanguage } from '../../../shared/i18n/language';
import { useGroupName } from '../pageContext';
import { useMetrics } from './useMetrics';

type Row = TableOut['rows'][number];
type Value = Row[number];

/** Returns a function that formats the cell of a column; both ends of an interval are written in one cell. */
export function useCells(columns: readonly TableColumnOut[]): (row: Row, column: TableColumnOut) => string {
  const { t } = useLingui();
  const language = useLanguage();
  const metrics = useMetrics();
  const groupName = useGroupName();
  const write = (value: Value, { format, type, words }: TableColumnOut): string => {
    if (value === null) return '–';
    if (typeof value === 'boolean') return value ? t`yes` : t`no`;
    if (typeof value === 'number') return number(value, format, language);
    if (type === 'datetime') return dateTime(value, language);
    if (format === 'metric') return metrics.find(({ key }) => key === value)?.label ?? value;
    return format === 'group' ? groupName(value) : (words[value] ?? value);
  };
  const valueOf = (row: Row, name: string) => row[columns.findIndex((column) => column.name === name)] ?? null;
  return (row, column) => {
    const value = valueOf(row, column.name);
    if (column.until === null || value === null) return write(value, column);
    const [low, high] = [write(value, column), write(valueOf(row, column.until), column)];
    return t`${low} to ${high}`;
  };
}

function number(value: number, format: TableColumnOut['format'], language: Language): string {
  switch (format) {
    case 'decimal':
      return decimal(value, 2, language);
    case 'share':
      return percent(value, language);
    case 'percent':
      return signed(value, percent(Math.abs(value), language));
    case 'ms':
      return decimal(value, 0, language);
    case 'signed_ms':
      return signed(value, decimal(Math.abs(value), 0, language));
    case 'p':
      return value < 0.001 ? `< ${decimal(0.001, 3, language)}` : decimal(value, 3, language);
    case 'count':
    case 'text':
    case 'group':
    case 'metric':
    case 'hidden':
    case 'precise':
      return precise(value, language);
  }
}

function signed(value: number, size: string): string {
  return `${value < 0 ? '−' : '+'}${size}`;
}

/** Formats fractions with four significant digits, and whole numbers with all digits. */
function precise(value: number, language: Language): string {
  if (Number.isInteger(value)) return integer(value, language).replace('-', '−');
  const small = Math.abs(value) < 1e-4 ? { notation: 'scientific' as const } : {};
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 4, ...small }).format(value).replace('-', '−');
}
