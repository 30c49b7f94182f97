import { i18n } from '@lingui/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { ExportJobOut } from '../../../shared/api/contract.gen';
import { show } from '../../../test/show';
import { soon } from '../../../test/soon';
import { ExportSection } from './ExportSection';

const path = '/api/research/studies/aa/export-jobs';
const queued: ExportJobOut = {
  id: 'j1',
  state: 'queued',
  origin: 'person',
  snapshot_sha256: 'bb',
  votes: 4,
  step: '',
  done: 0,
  of: null,
  seconds_left: null,
  reason: '',
  message: '',
  asked_at: '2026-01-01T12:00:00Z',
  finished_at: null,
  expires_at: null,
  size_bytes: null,
  sha256: null,
  file: null,
};
const done: ExportJobOut = { ...queued, state: 'done', size_bytes: 1_234_567, expires_at: '2026-01-08T12:00:00Z', sha256: 'cc', file: `${path}/j1/file` };

/** A server whose list of exports a test changes, and what it was sent. */
function platform(...jobs: ExportJobOut[]) {
  const state = { jobs, sent: [] as unknown[], refusal: null as [number, string, string] | null };
  vi.stubGlobal('fetch', async (request: Request) => {
    expect(request.url.slice(location.origin.length)).toBe(path);
    if (request.method === 'GET') return new Response(JSON.stringify(state.jobs));
    state.sent.push(JSON.parse(await request.text()));
    if (state.refusal !== null) {
      const [status, code, message] = state.refusal;
      return new Response(JSON.stringify({ error: { code, message } }), { status });
    }
    state.jobs = [queued, ...state.jobs];
    return new Response(JSON.stringify(queued), { status: 202 });
  });
  return state;
}

afterEach(() => {
  i18n.activate('en');
});

const button = (name: string) => screen.findByRole('button', { name });
const said = () => screen.getByRole('status');

describe('the export of a study', () => {
  it('is asked for, made and downloaded, by keyboard alone, and each state is said once', async () => {
    const server = platform();
    show(<ExportSection sha256="aa" />);
    const ask = await button('Export');
    expect(said()).toBeEmptyDOMElement();
    await userEvent.tab();
    expect(ask).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await soon(() => { expect(said()).toHaveTextContent('The export waits for the server. You can leave this page.'); });
    expect(server.sent).toEqual([{ origin: 'person' }]);
    expect(ask).toHaveAttribute('aria-disabled', 'true');
    // it keeps the focus, and asks for no second one
    await userEvent.keyboard('{Enter}');
    expect(server.sent).toHaveLength(1);

    server.jobs = [{ ...queued, state: 'running', step: 'tables' }];
    await soon(() => { expect(said()).toHaveTextContent('The export is being created. You can leave this page.'); });
    expect(screen.getByText('reading the votes')).toBeVisible();
    server.jobs = [{ ...queued, state: 'running', step: 'packing', done: 30, of: 120, seconds_left: 41.2 }];
    expect(await screen.findByRole('progressbar', { name: 'Export' }, { timeout: 5000 })).toHaveAttribute('value', '25');
    expect(screen.getByText('packing, 25 %, about 42 seconds left')).toBeVisible();
    expect(said()).toHaveTextContent('The export is being created. You can leave this page.');

    server.jobs = [done];
    await soon(() => { expect(said()).toHaveTextContent(/^The export of 4 votes is ready \(1\.2 MB\) and available until Jan 8, 2026, .+\.$/); });
    expect(ask).toHaveFocus();
    await userEvent.tab();
    const link = screen.getByRole('link', { name: 'Download export' });
    expect(link).toHaveFocus();
    expect(link).toHaveAttribute('href', `${path}/j1/file`);
    expect(await button('Export again')).toHaveAttribute('aria-disabled', 'false');
  });

  it('is that of the votes on the page', async () => {
    platform({ ...done, origin: 'all' });
    show(<ExportSection sha256="aa" />);
    expect(await button('Export')).toBeVisible();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it.each([
    ['full', 'The server’s disk is almost full, so the export cannot be stored. Please ask the operator to free some space.'],
    ['killed', 'The export could not be created. The server’s log has the reason.'],
    ['damaged', 'The export could not be created. Message from the server: votes.parquet is damaged.'],
    ['erased', /^The data of a participant in the last export was erased/],
  ] as const)('that failed (%s) is told in a sentence, and can be asked for again', async (reason, sentence) => {
    const server = platform({ ...queued, state: 'failed', reason, message: 'votes.parquet is damaged.' });
    show(<ExportSection sha256="aa" />);
    await soon(() => { expect(said()).toHaveTextContent(sentence); });
    await userEvent.click(await button('Try again'));
    await soon(() => { expect(said()).toHaveTextContent('The export waits for the server.'); });
    expect(server.sent).toHaveLength(1);
  });

  it('that waits for its next attempt says why the last one failed', async () => {
    platform({ ...queued, reason: 'store', message: 'The store does not answer.' });
    show(<ExportSection sha256="aa" />);
    await soon(() => { expect(said()).toHaveTextContent('The server’s file store does not respond. The server tries again in a few minutes.'); });
  });

  it('that has expired has no link', async () => {
    platform({ ...done, state: 'expired', reason: 'over', message: 'The file was deleted 7 days after it was made.', file: null });
    show(<ExportSection sha256="aa" />);
    await soon(() => { expect(said()).toHaveTextContent('The file of the last export was deleted, because it had expired.'); });
    expect(screen.queryByRole('link')).toBeNull();
    expect(await button('Export')).toBeVisible();
  });

  it.each([
    [503, 'recomputing', 'The results are being computed again after an update. Please try again in a minute.'],
    [507, 'no_room', 'The server’s disk is almost full, so the export cannot be stored. Please ask the operator to free some space.'],
    [409, 'no_results', 'There is nothing.'],
  ])('that the server refuses (%i %s) is told, and can be asked for again', async (status, code, sentence) => {
    const server = platform();
    server.refusal = [status, code, 'There is nothing.'];
    show(<ExportSection sha256="aa" />);
    await userEvent.click(await button('Export'));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    server.refusal = null;
    await userEvent.click(await button('Try again'));
    await soon(() => { expect(said()).toHaveTextContent('The export waits for the server.'); });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is told in German', async () => {
    const { messages } = await import('../../../locales/staff/de.po');
    i18n.loadAndActivate({ locale: 'de', messages });
    platform({ ...queued, state: 'running', step: 'packing', done: 30, of: 120, seconds_left: 100 });
    show(<ExportSection sha256="aa" />);
    expect(await screen.findByText('wird gepackt, 25 %, noch etwa 2 Minuten')).toBeVisible();
    expect(said()).toHaveTextContent('Der Export wird erstellt. Sie können diese Seite verlassen.');
  });
});
