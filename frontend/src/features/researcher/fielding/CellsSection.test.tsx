import { I18nProvider } from '@lingui/react';
import { i18n } from '@lingui/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import type { CellRow } from '../../../shared/api/contract.gen';
import { CellsSection } from './CellsSection';

const cell = (site: number, network: string, votes: number): CellRow => ({ kind: 'rate', role: 'main', group: 'volunteer', context: 'free', site: `site${String(site)}.example`, network, condition: 'QUIC', clips: 1, votes, target: 4 });
const show = (cells: CellRow[]) => render(<I18nProvider i18n={i18n}><CellsSection cells={cells} /></I18nProvider>);
const rowsOf = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent));

describe('CellsSection', () => {
  it('lists the cells of a small study', () => {
    show([cell(1, 'DSL', 1), cell(2, 'DSL', 4)]);
    expect(rowsOf('Votes per cell')).toHaveLength(2);
    expect(screen.queryByRole('region', { name: 'Votes by kind, role, group and network' })).toBeNull();
  });

  it('leaves out cells that nobody is asked about, but no votes', () => {
    show([cell(1, 'DSL', 1), { ...cell(2, 'DSL', 0), target: 0 }, { ...cell(3, 'DSL', 2), target: 0 }]);
    expect(rowsOf('Votes per cell').map(([, , , , site]) => site)).toEqual(['site1.example', 'site3.example']);
  });

  it('sums up the cells of a large study, and lists them on request', async () => {
    const dsl = Array.from({ length: 40 }, (_, site) => cell(site, 'DSL', site < 10 ? 5 : 1));
    show([...dsl, ...Array.from({ length: 30 }, (_, site) => cell(site, 'LTE', 0))]);
    expect(screen.getByText(/^80 of 280 votes/)).toBeVisible();
    expect(rowsOf('Votes by kind, role, group and network').map((row) => row.slice(3, 8))).toEqual([['DSL', '40', '10', '80', '160'], ['LTE', '30', '0', '0', '120']]);
    expect(screen.getByRole('progressbar', { name: /^Votes on DSL, by / })).toHaveValue(70);
    expect(screen.queryByRole('region', { name: 'Votes per cell' })).toBeNull();
    await userEvent.click(screen.getByText('Votes per cell (70 cells)'));
    expect(rowsOf('Votes per cell')).toHaveLength(70);
  });
});
