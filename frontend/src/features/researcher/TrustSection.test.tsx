import { I18nProvider } from '@lingui/react';
import { i18n } from '@lingui/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';

import { CountsTable } from './CountsTable';
import { SimulatedNotice } from './SimulatedNotice';
import { TrustSection } from './TrustSection';
import { ValuesSection } from './ValuesSection';

const all = { n: 8, participants: 6, chose_left: 2, chose_right: 1, no_difference: 5, share_different: 0.375, ci_low: 0.14, ci_high: 0.68 };
const repeat = { kind: 'rate', n: 4, participants: 4, equal: 3, share_equal: 0.75, ci_low: 0.3, ci_high: 0.95, mean_difference: 0.25 };
const show = (node: ReactNode) => render(<I18nProvider i18n={i18n}>{node}</I18nProvider>);
const cells = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('cell').map((cell) => cell.textContent);

describe('what the figures can be trusted with', () => {
  it('tells how often a difference was seen where there is none', () => {
    show(<TrustSection all={all} identical={[{ ...all, network: 'DSL', stack: 'QUIC' }]} repeats={[]} layouts={[]} />);
    expect(screen.getByText(/In 38 % \[14 %, 68 %\] of 8 answers, participants still reported a difference: 2 chose left, 1 right/)).toBeInTheDocument();
    expect(cells('Answers about identical pairs')).toEqual(['DSL', 'QUIC', '8', '6', '2', '5', '1', '38\u00a0%', '14\u00a0%', '68\u00a0%']);
    expect(screen.queryByText('Questions asked twice')).toBeNull();
  });

  it('tells how far second answers agree, with a dash where answers are words', () => {
    show(<TrustSection all={null} identical={[]} repeats={[repeat, { ...repeat, kind: 'compare', mean_difference: null }]} layouts={[]} />);
    expect(screen.queryByText('Identical pairs')).toBeNull();
    expect(cells('Agreement between first and second answers')).toEqual([
      ...['rate', '4', '4', '75\u00a0%', '30\u00a0%', '95\u00a0%', '0.25'],
      ...['compare', '4', '4', '75\u00a0%', '30\u00a0%', '95\u00a0%', '–'],
    ]);
  });

  it('shows both layouts of the answers side by side, and nothing where there is only one', () => {
    const row = { kind: 'rate', layout: 'row', n: 4, votes: 12, mean: 4.5, sd: 1.25 };
    const { unmount } = show(<TrustSection all={null} identical={[]} repeats={[]} layouts={[{ ...row, layout: 'column', n: 1, sd: null }, row]} />);
    expect(cells('Answers in a row and in a column')).toEqual([
      ...['rate', 'in a column', '1', '12', '4.50', '–'],
      ...['rate', 'in a row', '4', '12', '4.50', '1.25'],
    ]);
    unmount();
    show(<TrustSection all={null} identical={[]} repeats={[]} layouts={[row]} />);
    expect(screen.queryByText('Layout of the answers')).toBeNull();
  });

  it('shows values of other scales', () => {
    const place = { kind: 'slider', site: 'garden', network: 'DSL', stack: 'QUIC', context: 'work' };
    show(<ValuesSection values={[{ ...place, n: 1, mean: 62.5, ci_low: null, ci_high: null, sd: null }]} />);
    expect(cells('Mean values per condition')).toEqual(['slider', 'work', 'garden', 'DSL', 'QUIC', '1', '62.5', '–', '–']);
  });

  it('says nothing where there is nothing', () => {
    const { container } = show(
      <>
        <TrustSection all={null} identical={[]} repeats={[]} layouts={[]} />
        <ValuesSection values={[]} />
        <SimulatedNotice simulated={0} started={0} people origin="person" onOrigin={() => undefined} />
      </>,
    );
    expect(container).toBeEmptyDOMElement();
  });

  it('says whether simulated sessions are left out, and switches', async () => {
    const asked: string[] = [];
    const notice = (people: boolean, origin: 'person' | 'all') => <SimulatedNotice simulated={3} started={4} people={people} origin={origin} onOrigin={(one) => asked.push(one)} />;
    const { unmount } = show(notice(true, 'person'));
    expect(screen.getByRole('note')).toHaveTextContent('Simulated sessions left out of every figure on this page: 3.');
    await userEvent.click(screen.getByRole('button', { name: 'Include simulated sessions' }));
    unmount();
    const none = show(notice(false, 'person'));
    expect(screen.getByRole('note')).toHaveTextContent('All completed sessions of this study are simulated (3), and left out');
    none.unmount();
    show(notice(true, 'all'));
    expect(screen.getByRole('note')).toHaveTextContent('This page includes simulated sessions: 3. They were made by a program.');
    await userEvent.click(screen.getByRole('button', { name: 'Leave out simulated sessions' }));
    expect(asked).toEqual(['all', 'person']);
  });

  it('says that no simulated session is used, and shows what became of them', async () => {
    const asked: string[] = [];
    show(<SimulatedNotice simulated={0} started={4} people={false} origin="person" onOrigin={(one) => asked.push(one)} />);
    expect(screen.getByRole('note')).toHaveTextContent('Simulated sessions: 4. None is used, as each is excluded or not complete.');
    await userEvent.click(screen.getByRole('button', { name: 'Include simulated sessions' }));
    expect(asked).toEqual(['all']);
  });

  it('accounts for every session and vote', () => {
    show(<CountsTable counts={[{ outcome: 'used', sessions: 34, votes: 332 }, { outcome: 'excluded', sessions: 8, votes: 76 }]} />);
    expect(cells('Sessions and votes of the snapshot by outcome')).toEqual([...['used in every figure', '34', '332'], ...['excluded by the screening', '8', '76'], ...['in all', '42', '408']]);
  });
});
