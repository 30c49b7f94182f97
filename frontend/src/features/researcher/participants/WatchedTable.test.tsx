import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';

import { SessionPlays } from './SessionVerdicts';
import { WatchedTable } from './WatchedTable';

const show = (node: ReactNode) => render(<I18nProvider i18n={i18n}>{node}</I18nProvider>);
const none = { played: 0, off_speed: 0, stalled: 0, dropped: 0, unknown: 0 };

describe('how the videos played', () => {
  it('is counted for each group', () => {
    show(<WatchedTable watched={[{ group: 'paid', played: 120, off_speed: 4, stalled: 3, dropped: 17, unknown: 1 }, { group: 'volunteer', ...none }]} />);
    const table = screen.getByRole('region', { name: 'Plays with defects, by group' });
    expect(within(table).getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['paid', '120', '4', '3', '17', '1', 'volunteer', '0', '0', '0', '0', '0']);
  });

  it('is not there before anything was played', () => {
    expect(show(<WatchedTable watched={[{ group: 'paid', ...none }]} />).container).toBeEmptyDOMElement();
  });

  it('is told of a session with its faults alone', () => {
    const { container } = show(<SessionPlays watched={{ ...none, played: 9, stalled: 2, dropped: 1, unknown: 3 }} />);
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['2 with a stall', '1 with dropped frames', '3 speed unknown']);
    expect(container).toHaveTextContent(/^9/);
  });
});
