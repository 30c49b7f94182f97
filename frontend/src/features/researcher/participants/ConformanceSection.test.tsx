import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { serve, show } from '../../../test/show';
import { soon } from '../../../test/soon';
import { column, tableOf } from '../../../test/tables';
import { ConformanceSection } from './ConformanceSection';
import { SessionPlays } from './SessionVerdicts';

const sha256 = 'a'.repeat(64);
const path = `/api/research/studies/${sha256}/conformance`;
const group = { group: 'crowd', started: 4, completed: 3, waiting: 0, steps: [{ rule: 'R7', broken: 0, unknown: 0, left: 3 }], otherwise: { beyond_quota: 2 }, used: 1, accepted: 3, skipped: 0 };
const watched = { played: 9, off_speed: 0, stalled: 1, dropped: 0, unknown: 0 };
const session = {
  session_id: '12345678-0000-4000-8000-000000000000', group: 'crowd', origin: 'person', state: 'completed', started_at: '2026-11-20T09:12:00Z', completed_at: '2026-11-20T09:42:00Z',
  accepted: true, used: false, skipped: 0, same_answer_share: 0.5, left_out_by: ['beyond_quota'], findings: [{ rule: 'R7', broken: 'no', reason: '', trials: [], unknown: 0 }], watched,
};

const noPlays = tableOf('Plays with defects', [], []);
const counts = (groups: unknown[]) => ({ origin: 'person', version: 1, rules: [], groups, watched: noPlays, counted_at: null, may_pay: false });

afterEach(() => { vi.useRealTimers(); });

describe('who kept the rules', () => {
  it('has its figures drawn again only when the counts change, and no other figures', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const answers: Record<string, unknown> = { [`GET ${path}?origin=person&lang=en`]: counts([group]) };
    serve(answers);
    const served = fetch;
    const calls: string[] = [];
    vi.stubGlobal('fetch', (request: Request) => {
      calls.push(request.url.slice(request.url.lastIndexOf('/')));
      return served(request);
    });
    show(<ConformanceSection sha256={sha256} />);
    const figures = '/figures?origin=person&lang=en&layout=wide&part=screening';
    const polled = '/conformance?origin=person&lang=en';
    await soon(() => { expect(calls).toEqual([polled, figures]); });
    await vi.advanceTimersByTimeAsync(8000);
    await soon(() => { expect(calls).toEqual([polled, figures, polled]); });
    answers[`GET ${path}?origin=person&lang=en`] = counts([{ ...group, started: 5 }]);
    await vi.advanceTimersByTimeAsync(8000);
    await soon(() => { expect(calls).toEqual([polled, figures, polled, polled, figures]); });
  });

  it('shows plays with defects by group, and the verdict on each session', async () => {
    serve({ [`GET ${path}?origin=person&lang=en`]: { origin: 'person', version: 1, rules: [], groups: [group], watched: tableOf('Plays with defects', [column('stalled', 'count')], [[1]]), counted_at: null, may_pay: false }, [`GET ${path}/sessions?page=1&origin=person`]: [200, { sessions: [session], page: 1, pages: 1, total: 1 }] });
    show(<ConformanceSection sha256={sha256} />);
    await userEvent.click(await screen.findByText('Plays with defects'));
    expect(screen.getByRole('region', { name: 'Plays with defects' })).toBeVisible();
    await userEvent.click(screen.getByText('Screening of each session'));
    expect(await screen.findByText('over quota')).toBeVisible();
    expect(screen.queryByRole('navigation', { name: 'Pages of the list' })).toBeNull();
  });

  it('shows the plays of a session and their faults, and nothing else about it', () => {
    show(<SessionPlays watched={{ ...watched, stalled: 2, dropped: 1, unknown: 3 }} />);
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['2 with a stall', '1 with dropped frames', '3 speed unknown']);
    expect(document.body).toHaveTextContent(/^9/);
  });

  it('shows origin, duration and rounded reasons of each session, and only those with a verdict that one asks for', async () => {
    const away = { rule: 'R3', broken: 'yes', reason: 'trial 1: away for 78.4303 s, at most 10 s allowed', trials: [1], unknown: 0 };
    const quick = { ...session, session_id: 'cccccccc-0000-4000-8000-000000000000', origin: 'simulated', completed_at: '2026-11-20T09:12:02.2Z', used: true, left_out_by: [] };
    serve({
      [`GET ${path}?origin=person&lang=en`]: { origin: 'person', version: 1, rules: [], groups: [group], watched: noPlays, counted_at: null, may_pay: false },
      [`GET ${path}/sessions?page=1&origin=person`]: { sessions: [{ ...session, left_out_by: ['R3'], findings: [away] }, quick], page: 1, pages: 1, total: 2 },
    });
    show(<ConformanceSection sha256={sha256} />);
    await userEvent.click(await screen.findByText('Screening of each session'));
    const rowOf = (id: string) => screen.getByText(id).closest('tr');
    expect(await screen.findByText('12345678')).toBeVisible();
    expect(rowOf('12345678')).toHaveTextContent(/person.*30\.0 min.*50\s?%.*R3 trial 1: away for 78\.4 s, at most 10 s allowed/);
    expect(rowOf('cccccccc')).toHaveTextContent(/simulated.*2\.2 s/);
    await userEvent.selectOptions(screen.getByLabelText('Show:'), 'sessions not used');
    expect(screen.queryByText('cccccccc')).toBeNull();
    expect(screen.getByText('1 of 2 on this page of the list')).toBeVisible();
  });

  it('shows a long list page by page, and when a large study was counted', async () => {
    const pageOf = (page: number, id: string) => ({ sessions: [{ ...session, session_id: id }], page, pages: 2, total: 101 });
    serve({
      [`GET ${path}?origin=person&lang=en`]: { origin: 'person', version: 1, rules: [], groups: [group], watched: noPlays, counted_at: '2026-11-20T09:12:00Z', may_pay: false },
      [`GET ${path}/sessions?page=1&origin=person`]: pageOf(1, 'aaaaaaaa-0000-4000-8000-000000000000'),
      [`GET ${path}/sessions?page=2&origin=person`]: pageOf(2, 'bbbbbbbb-0000-4000-8000-000000000000'),
    });
    show(<ConformanceSection sha256={sha256} />);
    expect(await screen.findByText(/A study of this size is counted at intervals/)).toBeVisible();
    await userEvent.click(screen.getByText('Screening of each session'));
    expect(await screen.findByText('aaaaaaaa')).toBeVisible();
    expect(screen.getByText('Page 1 of 2, 101 in all')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('bbbbbbbb')).toBeVisible();
    expect(screen.queryByText('aaaaaaaa')).toBeNull();
    expect(screen.getByRole('button', { name: 'Last' })).toBeDisabled();
  });
});
