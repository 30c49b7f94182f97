import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { serve, show } from '../../test/show';
import { Announcements } from './Announcements';
import HealthPage from './HealthPage';

const service = { name: 'web', ok: true, state: null, since: null, ends: null, reason: null };
const disk = { free_bytes: 20e9, total_bytes: 100e9, reserve_bytes: 500e6, growth_bytes_per_day: 4e9, days_left: 4.9, room: 'ok' };
const well = {
  at: '2026-11-20T09:12:00Z',
  services: [service],
  queues: [{ name: 'celery', length: 0, oldest_s: null }],
  last_analysis: null,
  studies_behind: 0,
  backup: null,
  drill: { at: '2026-11-19T03:00:00Z', ok: true, bytes: null, sentences: ['34 tables have the same 901 rows.'] },
  disk,
  versions: { eyelevel: '0.1.0', postgresql: '18.6' },
  errors: [],
  sessions_active: 3,
  warnings: [],
};

describe('the page of health', () => {
  it('reports that there are no problems, with the facts', async () => {
    serve({ 'GET /api/health/report': well });
    show(<HealthPage />);
    expect(await screen.findByText('No problems')).toBeVisible();
    expect(screen.getByText('20.00 GB of 100.00 GB')).toBeVisible();
    expect(screen.getByText('4.9')).toBeVisible();
    expect(screen.getByText('34 tables have the same 901 rows.')).toBeInTheDocument();
    expect(screen.getByRole('meter', { name: 'Used' })).toHaveValue(0.8);
  });

  it('shows warnings first, as sentences', async () => {
    const dead = { ...service, name: 'worker', ok: false, state: 'waiting', since: '2026-11-20T09:00:00Z', ends: 2, reason: 'ended with status 1' };
    const error = { logger: 'celery', text: 'Task %s failed', error: 'KeyError', where: 'analysis/tasks.py:9', times: 7, last_at: '2026-11-20T09:11:00Z' };
    const queue = { name: 'celery', length: 12, oldest_s: 600 };
    serve({ 'GET /api/health/report': { ...well, services: [service, dead], queues: [queue], errors: [error], warnings: ['service', 'queue'] } });
    show(<HealthPage />);
    expect(await screen.findByText(/A service does not work/)).toBeVisible();
    expect(screen.getByText(/Tasks have waited for more than two minutes/)).toBeVisible();
    const row = screen.getByText(/^worker/).closest('li');
    expect(within(row ?? document.body).getByText(/ended 2 times/)).toHaveTextContent('ended with status 1');
    expect(screen.getByText(/12 tasks wait/)).toHaveTextContent('the oldest for 10 minutes');
    expect(screen.getByText('7 × KeyError: Task %s failed')).toBeVisible();
  });

  it('shows which facts are unknown', async () => {
    serve({ 'GET /api/health/report': { ...well, queues: null, errors: null, disk: null, sessions_active: null, studies_behind: null } });
    show(<HealthPage />);
    expect(await screen.findAllByText('unknown')).toHaveLength(4);
  });
});

describe('announcements', () => {
  it('are shown to everybody if there are any', async () => {
    serve({ 'GET /api/announcements': [{ code: 'disk_soon', free_bytes: 1e9, days_left: 0.4 }] });
    show(<Announcements />);
    expect(await screen.findByRole('alert')).toHaveTextContent('The disk will be full within a day.');
  });
});
