import { i18n } from '@lingui/core';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { serve, show } from '../../../test/show';
import { FilePrefix, prefixOf } from '../export/fileNames';
import { UnplannedAnalyses } from '../plan/unplanned';
import { InDepthSection } from './InDepthSection';

const sha256 = 'a'.repeat(64);
const path = `/api/research/studies/${sha256}/results/in-depth?origin=person&lang=en`;
const none = { status: 'none', part: '', parts_done: 0, parts: 0, error: '', hypotheses: [], tables: [] };
const column = { unit: null, until: null, words: {} };
const columns = [{ ...column, name: 'network', title: 'network', meaning: 'network of the stimulus', type: 'string', format: 'text' }, { ...column, name: 'share', title: 'share', meaning: 'count / votes', type: 'number', format: 'precise' }];
const table = (name: string, title: string, rows: unknown[][] = [['DSL', 0.123456]], analysis = 'mos') => ({ name, title, note: '', analysis, columns, rows });
const section = <InDepthSection sha256={sha256} collecting={false} mayEdit={false} snapshot="b" />;

afterEach(() => {
  i18n.activate('en');
});

/** jsdom's blobs have no `text`. */
function textOf(blob: Blob | null): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => { resolve(reader.result as string); };
    reader.readAsText(blob ?? new Blob());
  });
}

async function opened(title: string) {
  const summary = await screen.findByText(title);
  await userEvent.click(summary);
  return within(await screen.findByRole('region', { name: title }));
}

describe('tables in depth', () => {
  it('are not requested while a link is open', () => {
    const fetched = vi.fn();
    serve({});
    vi.stubGlobal('fetch', fetched);
    show(<InDepthSection sha256={sha256} collecting mayEdit={false} snapshot="b" />);
    expect(screen.getByText('Further tables are computed when every link of the study is closed.')).toBeVisible();
    expect(fetched).not.toHaveBeenCalled();
  });

  it('show which part is computed, and how many are done', async () => {
    serve({ [`GET ${path}`]: { ...none, status: 'running', part: 'multiverse', parts_done: 6, parts: 8 } });
    show(section);
    const bar = await screen.findByRole('progressbar', { name: 'Tables in depth: combinations of rules (part 7 of 8)' });
    expect(bar).toHaveAttribute('value', '75');
  });

  it.each(['none', 'queued'])('wait for the server (%s)', async (status) => {
    serve({ [`GET ${path}`]: { ...none, status } });
    show(section);
    expect(await screen.findByRole('progressbar', { name: 'Tables in depth: waiting for the server' })).toHaveAttribute('value', '0');
  });

  it('mark analyses that the plan does not name', async () => {
    const departure = { kind: 'analysis' as const, subject: 'groups', sentence: '', before: null, after: null, at: null, sessions: null };
    serve({ [`GET ${path}`]: { ...none, status: 'done', tables: [table('scores', 'Votes by score'), { ...table('group-mos', 'MOS by group'), analysis: 'groups' }] } });
    show(<UnplannedAnalyses departures={[departure]}>{section}</UnplannedAnalyses>);
    expect((await screen.findByText('MOS by group')).parentElement).toHaveTextContent('MOS by group (1 row) not in the plan');
    expect(screen.getByText('Votes by score').parentElement).toHaveTextContent('Votes by score (1 row)');
    expect(screen.getAllByText('not in the plan')).toHaveLength(1);
  });

  it("show an unknown part by the server's name", async () => {
    serve({ [`GET ${path}`]: { ...none, status: 'running', part: 'something new', parts_done: 0, parts: 8 } });
    show(section);
    expect(await screen.findByRole('progressbar', { name: 'Tables in depth: something new (part 1 of 8)' })).toBeInTheDocument();
  });

  it('show the reason of a failure', async () => {
    serve({ [`GET ${path}`]: { ...none, status: 'failed', error: 'It took too long.' } });
    show(section);
    expect(await screen.findByRole('alert')).toHaveTextContent('The tables in depth could not be computed. Message from the server: It took too long.');
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('are computed again after a failure on request of an editor', async () => {
    const answers: Record<string, unknown> = { [`GET ${path}`]: { ...none, status: 'failed', error: 'It took too long.' }, [`POST /api/research/studies/${sha256}/results/in-depth`]: [204, null] };
    const sent = serve(answers);
    show(<InDepthSection sha256={sha256} collecting={false} mayEdit snapshot="b" />);
    const button = await screen.findByRole('button', { name: 'Compute the tables again' });
    answers[`GET ${path}`] = { ...none, status: 'queued' };
    await userEvent.click(button);
    expect(await screen.findByRole('progressbar', { name: 'Tables in depth: waiting for the server' })).toBeInTheDocument();
    expect(sent.map(({ call }) => call)).toEqual([`POST /api/research/studies/${sha256}/results/in-depth`]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('are grouped by analysis, with unknown analyses among the answers', async () => {
    const tables = ['mos', 'new', 'checks', 'metrics', 'comparisons'].map((analysis) => table(analysis, `Table of ${analysis}`, [], analysis));
    serve({ [`GET ${path}`]: { ...none, status: 'done', tables } });
    show(section);
    await screen.findByRole('heading', { name: 'In depth' });
    const groups = await screen.findAllByRole('region');
    expect(groups.map((group) => [within(group).getByRole('heading').textContent, ...[...group.querySelectorAll('summary > span:first-child')].map((title) => title.textContent)])).toEqual([
      ['What people answered', 'Table of mos', 'Table of new'],
      ['Reliability', 'Table of checks'],
      ['Metrics against people', 'Table of metrics'],
      ['Comparisons', 'Table of comparisons'],
    ]);
  });

  it('are collapsed, and show figures and the meaning of columns when they are opened', async () => {
    const rows = [['DSL', 0.123456], ['LTE', null], ['LTE', -1234], ['LTE', 0.0000123456]];
    serve({ [`GET ${path}`]: { ...none, status: 'done', tables: [table('scores', 'Votes by score', rows)] } });
    show(section);
    expect(await screen.findByText(/4 rows/)).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
    const inside = await opened('Votes by score');
    expect(inside.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['DSL', '0.1235', 'LTE', '–', 'LTE', '−1,234', 'LTE', '1.235E−5']);
    expect(screen.getByText(/count \/ votes/)).toBeVisible();
    expect(screen.queryByText(/The first/)).toBeNull();
  });

  it('show the first 200 rows, and save all of them as CSV that no spreadsheet takes for formulas', async () => {
    const rows = [['=1+1', 0.123456], ['a "quoted", word', null], ...Array.from({ length: 199 }, () => ['DSL', 1])];
    serve({ [`GET ${path}`]: { ...none, status: 'done', tables: [table('scores', 'Votes by score', rows)] } });
    let content: Blob | null = null;
    const saved: string[] = [];
    // jsdom has neither
    URL.createObjectURL = (blob) => {
      content = blob as Blob;
      return 'blob:1';
    };
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    show(<FilePrefix value={prefixOf('pilot', sha256, 'person')}>{section}</FilePrefix>);
    const inside = await opened('Votes by score');
    expect(screen.getByText('The first 200 of 201 rows; the CSV file has all.')).toBeVisible();
    expect(inside.getAllByRole('row')).toHaveLength(201);
    await userEvent.click(screen.getByRole('button', { name: 'Download Votes by score as CSV' }));
    expect(saved).toEqual(['eyelevel-pilot-aaaaaaaaaaaa-scores.csv']);
    const text = await textOf(content);
    expect(text.split('\r\n').slice(0, 4)).toEqual(['network,share', "'=1+1,0.123456", '"a ""quoted"", word",', 'DSL,1']);
    expect(text.split('\r\n')).toHaveLength(203);
  });

  it('are also requested in German', async () => {
    i18n.load('de', (await import('../../../locales/staff/de.po')).messages);
    i18n.activate('de');
    serve({ [`GET ${path.replace('lang=en', 'lang=de')}`]: { ...none, status: 'running', part: 'multiverse', parts_done: 6, parts: 8 } });
    show(section);
    expect(await screen.findByRole('progressbar', { name: 'Vertiefende Tabellen: Kombinationen von Regeln (Teil 7 von 8)' })).toBeInTheDocument();
    cleanup();
    serve({ [`GET ${path.replace('lang=en', 'lang=de')}`]: { ...none, status: 'done', tables: [table('scores', 'Bewertungen nach Wert')] } });
    show(section);
    expect(await screen.findByRole('heading', { name: 'Was die Teilnehmenden geantwortet haben' })).toBeVisible();
    const inside = await opened('Bewertungen nach Wert');
    expect(inside.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['DSL', '0,1235']);
  });
});
