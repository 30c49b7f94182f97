import { I18nProvider } from '@lingui/react';
import { i18n } from '@lingui/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';

import { SimulatedNotice } from './SimulatedNotice';
import { TrustSection } from './TrustSection';

const all = { n: 8, participants: 6, chose_left: 2, chose_right: 1, no_difference: 5, share_different: 0.375, ci_low: 0.14, ci_high: 0.68 };
const show = (node: ReactNode) => render(<I18nProvider i18n={i18n}>{node}</I18nProvider>);

describe('the reliability of the figures', () => {
  it('shows how often a difference was reported for identical pairs', () => {
    show(<TrustSection all={all} />);
    expect(screen.getByText(/In 38 % \[14 %, 68 %\] of 8 answers, participants still reported a difference: 2 chose left, 1 right/)).toBeInTheDocument();
  });

  it('does not mention simulated sessions if there are none', () => {
    const { container } = show(<SimulatedNotice simulated={0} started={0} people origin="person" onOrigin={() => undefined} />);
    expect(container).toBeEmptyDOMElement();
  });

  it('states whether simulated sessions are excluded, and switches', async () => {
    const asked: string[] = [];
    const notice = (people: boolean, origin: 'person' | 'all') => <SimulatedNotice simulated={3} started={4} people={people} origin={origin} onOrigin={(chosen) => asked.push(chosen)} />;
    const { unmount } = show(notice(true, 'person'));
    expect(screen.getByRole('note')).toHaveTextContent('Simulated sessions excluded from every figure on this page: 3.');
    await userEvent.click(screen.getByRole('button', { name: 'Include simulated sessions' }));
    unmount();
    const none = show(notice(false, 'person'));
    expect(screen.getByRole('note')).toHaveTextContent('All completed sessions of this study are simulated (3), and excluded');
    none.unmount();
    show(notice(true, 'all'));
    expect(screen.getByRole('note')).toHaveTextContent('This page includes simulated sessions: 3. They were created by a program.');
    await userEvent.click(screen.getByRole('button', { name: 'Exclude simulated sessions' }));
    expect(asked).toEqual(['all', 'person']);
  });

  it('states that no simulated session is used, and shows their outcome', async () => {
    const asked: string[] = [];
    show(<SimulatedNotice simulated={0} started={4} people={false} origin="person" onOrigin={(chosen) => asked.push(chosen)} />);
    expect(screen.getByRole('note')).toHaveTextContent('Simulated sessions: 4. None is used, because each is excluded or incomplete.');
    await userEvent.click(screen.getByRole('button', { name: 'Include simulated sessions' }));
    expect(asked).toEqual(['all']);
  });
});
