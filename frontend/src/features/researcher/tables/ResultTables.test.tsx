import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import type { TableColumnOut, TableOut } from '../../../shared/api/contract.gen';
import { someMetrics } from '../../../test/metrics';
import { serve, show } from '../../../test/show';
import * as tables from '../../../test/tables';
import { Groups } from '../pageContext';
import { ResultTables } from './ResultTables';

const column = (name: string, format: TableColumnOut['format'], type: TableColumnOut['type'] = 'number', until: string | null = null) =>
  tables.column(name, format, { title: `title of ${name}`, type, until });
const table: TableOut = {
  name: 'made', title: 'A table', note: 'What to know.', analysis: 'mos',
  columns: [
    column('metric', 'metric', 'string'), column('n', 'count', 'integer'), column('mean', 'decimal'), column('low', 'decimal', 'number', 'high'), column('high', 'decimal'),
    column('share', 'share'), column('p', 'p'), column('ms', 'ms'), column('change', 'percent'), column('good', 'text', 'boolean'), column('code', 'hidden', 'string'),
  ],
  rows: [
    ['si', 1234, 2.345, 1.5, 3.125, 0.456, 0.0004, 812.6, -0.051, true, 'secret'],
    ['new', 1, -2, null, null, null, 0.03, null, 0.2, false, null],
  ],
};

describe('tables of results', () => {
  it('show each column by its format, intervals in one cell, and nothing that is hidden', async () => {
    serve({ 'GET /api/metrics': someMetrics });
    show(<ResultTables tables={[table]} />);
    await userEvent.click(screen.getByText('A table'));
    const inside = within(await screen.findByRole('region', { name: 'A table' }));
    expect(inside.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(['metric', 'n', 'mean', 'low', 'share', 'p', 'ms', 'change', 'good'].map((name) => `title of ${name}`));
    await inside.findByRole('cell', { name: 'SI' });
    expect(inside.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      ...['SI', '1,234', '2.35', '1.50 to 3.13', '46\u00a0%', '< 0.001', '813', '−5\u00a0%', 'yes'],
      ...['new', '1', '−2.00', '–', '–', '0.030', '–', '+20\u00a0%', 'no'],
    ]);
    expect(screen.getByText('What to know.')).toBeVisible();
    expect(screen.getByText(/what code means/)).toBeVisible();
  });

  it('show words for values, times, and labels of groups', async () => {
    const columns = [tables.column('by', 'text', { words: { page: 'Seite' } }), tables.column('at', 'text', { type: 'datetime' }), tables.column('group', 'group')];
    serve({ 'GET /api/metrics': someMetrics });
    show(
      <Groups value={[{ key: 'crowd', label: { en: 'The crowd' } }]}>
        <ResultTables tables={[tables.tableOf('Looks', columns, [['page', '2026-11-21T09:58:03Z', 'crowd'], ['else', null, 'other']])]} />
      </Groups>,
    );
    await userEvent.click(screen.getByText('Looks'));
    const cells = within(await screen.findByRole('region', { name: 'Looks' })).getAllByRole('cell');
    expect(cells.map((cell) => cell.textContent)).toEqual(['Seite', expect.stringContaining('Nov 21, 2026') as string, 'The crowd', 'else', '–', 'other']);
  });

  it('are not shown without a table', () => {
    show(<ResultTables tables={[]} />);
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
