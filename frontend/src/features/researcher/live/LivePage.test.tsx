import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import type { FieldOut } from '../../../shared/api/contract.gen';
import { serve, show } from '../../../test/show';
import LivePage from './LivePage';

const sha256 = 'a'.repeat(64);
const fielding = { slug: 'abc', state: 'open', effective_state: 'open', group: 'crowd', quota: 40, sessions_started: 9, sessions_completed: 5, sessions_counted: 4, sessions_excluded: 1, sessions_over_quota: 0, sessions_simulated: 0, participant_url: '/s/abc', unknown_parameters: [], missing_parameter: null };
const study = { sha256, name: 'pilot', title: { en: 'How fast?' }, published_at: '2026-11-20T09:12:00Z', archived_at: null, owner: 'rita', rights: ['read', 'edit'], trial_count: 1, votes: 12, groups: [{ key: 'crowd', label: { en: 'Crowd workers' } }], fieldings: [fielding], cells: [], play_failures: [], study: {} };
const field: FieldOut = {
  at: '2026-11-21T09:58:03Z',
  links: [{ slug: 'abc', group: 'crowd', started: 9, active: 2, finished: 5, left: 2, restarted: 0, counted: 4, excluded: { R2: 1, beyond_quota: 1 }, minutes: { lower: 9, median: 10.5, upper: 12 }, forecast: { per_day: 1.5, expected: '2026-12-15T00:00:00Z', earliest: '2026-12-05T00:00:00Z', latest: null } }],
  steps: [{ group: 'crowd', answered: 0, trials: 24, sessions: 1 }, { group: 'crowd', answered: 7, trials: 24, sessions: 3 }],
  days: [{ day: '2026-11-21', group: 'crowd', started: 9, finished: 5, counted: 4, votes: 120 }],
  problems: [{ code: 'not_open', group: 'crowd', today: 1, total: 3 }, { code: 'unheard_of', group: 'crowd', today: 0, total: 1 }],
  alerts: [{ code: 'clip_fails', subject: `abc/${'c'.repeat(64)}`, group: 'crowd', count: 6, of: 20, since: null }, { code: 'quota_full', subject: 'abc', group: 'crowd', count: 40, of: 40, since: '2026-11-21T09:00:00Z' }],
};

function open(changes: Partial<FieldOut> = {}) {
  serve({ [`GET /api/research/studies/${sha256}`]: study, [`GET /api/research/studies/${sha256}/field`]: { ...field, ...changes } });
  show(<LivePage sha256={sha256} />);
}

it('shows who is there, who left where, and when the quota is full', async () => {
  open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Live' })).toBeVisible();
  expect(screen.getByText('active now').nextSibling).toHaveTextContent('2');
  expect(screen.getByText('Not counted, by reason: R2 (1), over quota (1)')).toBeVisible();
  expect(screen.getByText('The middle half of the finished sessions took 9.0 to 12.0 minutes (median 10.5).')).toBeVisible();
  expect(screen.getByText(/^1\.5 sessions count per day\. At this rate the quota is full on .*, on .* at the earliest\.$/)).toBeVisible();
  const left = within(screen.getByRole('region', { name: 'Where participants left' }));
  expect(left.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['Crowd workers', 'before the first answer', '1', '', 'Crowd workers', 'after answer 7 of 24', '3', '']);
  const problems = within(screen.getByRole('region', { name: 'Problems that participants saw' }));
  expect(problems.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['The study was full, paused or closed.', 'Crowd workers', '1', '3', 'unheard_of', 'Crowd workers', '0', '1']);
});

it('names what needs attention, and pauses a link', async () => {
  open();
  expect(await screen.findByText(/Crowd workers: a video did not play for 6 people, of 20 to whom it was sent\./)).toBeVisible();
  expect(screen.getByText(/the quota is full, 40 of 40 sessions count/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
});

it('says that nothing needs attention', async () => {
  open({ alerts: [], steps: [], days: [], problems: [] });
  expect(await screen.findByText('Nothing needs your attention.')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Where participants left' })).toBeNull();
});
