import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { PlayFailures } from '../../shared/api/contract.gen';
import { serve, show } from '../../test/show';
import { column, tableOf } from '../../test/tables';
import StudyPage from './StudyPage';

const sha256 = 'a'.repeat(64);
const path = `/api/research/studies/${sha256}`;
const snapshot = { sha256: 'b'.repeat(64), created_at: '2026-11-21T09:58:03Z', votes: 12, sessions: 2 };
const table = (name: string) => ({ name, title: `Table of ${name}`, note: '', analysis: 'mos', columns: [column('n', 'count', { title: 'people' })], rows: [[2]] });

function study(rights: string[]) {
  return {
    sha256, name: 'pilot', title: { en: 'How fast?' }, published_at: '2026-11-20T09:12:00Z', archived_at: null as string | null, owner: 'rita', rights, trial_count: 1, votes: 12, sessions: { started: 2, completed: 2 },
    groups: [{ key: 'volunteer', label: { en: 'Volunteers', de: 'Freiwillige' } }],
    fieldings: [{ slug: 'abc', state: 'open', effective_state: 'open', group: 'volunteer', quota: 4, sessions_started: 2, sessions_completed: 2, sessions_counted: 2, sessions_excluded: 0, sessions_over_quota: 0, sessions_simulated: 0, participant_url: '/s/abc', unknown_parameters: [] as { name: string; sessions: number }[], missing_parameter: null as { name: string; visits: number } | null }], cells: [], play_failures: [] as PlayFailures[], study: { study: {} },
  };
}

const results = (blinded: boolean) => ({ blinded, status: 'fresh', snapshot, collecting: blinded, votes_used: 332, sessions_used: 34, hypotheses: [], effects: [], tables: blinded ? [] : [table('mos')], identical_all: null, simulated_sessions: 0, simulated_started: 0, counts: tableOf('Counts', [], []), look: null, looks: tableOf('Looks', [], []), planned_looks: [], demographics: [], departures: [] });

const figuresPath = `GET ${path}/results/figures?origin=person&lang=en&layout=wide&part=results`;
const screeningPath = figuresPath.replace('part=results', 'part=screening');
const figure = (name: string) => ({ name, title: name, svg: '<svg xmlns="http://www.w3.org/2000/svg"/>', alternative: '', how_to_read: '', table: { columns: [], rows: [] } });

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
});

describe('the page of a study', () => {
  it('offers only permitted actions', async () => {
    serve({ [`GET ${path}`]: study(['read']), [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    await screen.findByText(/12 votes/);
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Share …' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });

  it('shows a full fielding as full, and allows pausing it', async () => {
    const sent = study(['read', 'edit']);
    const [fielding] = sent.fieldings;
    serve({ [`GET ${path}`]: { ...sent, fieldings: [{ ...fielding, effective_state: 'full' }] }, [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByText('full')).toHaveClass('badge');
    expect(screen.queryByText('open')).toBeNull();
    expect(screen.getByRole('button', { name: 'Pause' })).toBeEnabled();
  });

  it('warns of people with parameters that the link does not know', async () => {
    const sent = study(['read']);
    const [fielding] = sent.fieldings;
    serve({ [`GET ${path}`]: sent, [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    await screen.findByText(/12 votes/);
    expect(screen.queryByText(/parameters in the link/)).toBeNull();
    cleanup();
    const unknown_parameters = [{ name: 'PROLIFIC_PID', sessions: 3 }, { name: 'x', sessions: 1 }];
    serve({ [`GET ${path}`]: { ...sent, fieldings: [{ ...fielding, unknown_parameters }] }, [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByText(/3 sessions began with parameters in the link that this group does not know: PROLIFIC_PID \(3\), x \(1\)\./)).toBeInTheDocument();
  });

  it('lists the videos that did not play, and opens one', async () => {
    const failure = { site: 'garden', network: 'DSL', stacks: ['TCP+', 'QUIC'], clip_sha256: 'c'.repeat(64), browser: 'Firefox 128, Linux', fault: 'undecodable' as const, times: 3 };
    serve({ [`GET ${path}`]: study(['read']), [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    await screen.findByText(/12 votes/);
    expect(screen.queryByRole('heading', { name: 'Videos that did not play' })).toBeNull();
    cleanup();
    serve({ [`GET ${path}`]: { ...study(['read']), play_failures: [failure] }, [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    const region = within(await screen.findByRole('region', { name: 'Videos that did not play, by browser' }));
    expect(region.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['garden', 'DSL', 'TCP+ / QUIC', 'Firefox 128, Linux', 'the browser shows no picture', '3', 'Show']);
    await userEvent.click(region.getByRole('button', { name: 'Show the clip: garden, DSL' }));
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });

  it("warns of people whose link has no recruiter's id", async () => {
    const sent = study(['read']);
    const [fielding] = sent.fieldings;
    serve({ [`GET ${path}`]: sent, [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    await screen.findByText(/12 votes/);
    expect(screen.queryByText(/without the parameter/)).toBeNull();
    cleanup();
    const missing_parameter = { name: 'PROLIFIC_PID', visits: 3 };
    serve({ [`GET ${path}`]: { ...sent, fieldings: [{ ...fielding, missing_parameter }] }, [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByText(/This link was opened 3 times without the parameter PROLIFIC_PID; without it, nobody can begin\. If a recruiter sent these people, check the link/)).toBeInTheDocument();
  });

  it('shows the plan before the results of a look', async () => {
    const plan = { hypotheses: [{ key: 'H1', says: 'QUIC is faster.' }], alpha: 0.05 };
    serve({ [`GET ${path}`]: { ...study(['read']), study: { contract: 'eyelevel/frozen-study/1', study: { plan } } }, [`GET ${path}/results?origin=person&lang=en`]: { ...results(false), collecting: true } });
    show(<StudyPage sha256={sha256} />);
    await screen.findByRole('heading', { name: 'How satisfying the speed was' });
    const heads = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(heads.indexOf('Analysis plan')).toBeGreaterThanOrEqual(0);
    expect(heads.indexOf('Analysis plan')).toBeLessThan(heads.indexOf('How satisfying the speed was'));
  });

  it('shows the answers of a closed study first, then their reliability, then the plan', async () => {
    const plan = { hypotheses: [{ key: 'H1', says: 'QUIC is faster.' }] };
    const hypothesis = { hypothesis: 'H1', says: 'QUIC is faster.', outcome: 'undecided', sentence: '', unknown: '' };
    serve({
      [`GET ${path}`]: { ...study(['read']), study: { study: { plan } } },
      [`GET ${path}/results?origin=person&lang=en`]: { ...results(false), hypotheses: [hypothesis], tables: ['mos', 'comparisons', 'correlations', 'repeats'].map(table) },
    });
    show(<StudyPage sha256={sha256} />);
    await screen.findByRole('heading', { name: 'Answers to the hypotheses' });
    const heads = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    const order = ['Summary', 'Answers to the hypotheses', 'Analysis plan', 'How satisfying the speed was', 'Which side loaded faster', 'Correlation of metrics with votes', 'Tables'];
    expect(heads.filter((head) => order.includes(head))).toEqual(order);
  });

  it('names files of results after the snapshot, and those of screening, which is of now, after the study alone', async () => {
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) { names.push(this.download); });
    URL.createObjectURL = () => 'blob:1';
    serve({
      [`GET ${path}`]: study([]), [`GET ${path}/results?origin=person&lang=en`]: results(false), [figuresPath]: [figure('mos-dsl')], [screeningPath]: [figure('screening-volunteer')],
      [`GET ${path}/conformance?origin=person&lang=en`]: { version: 1, origin: 'person', rules: [], groups: [], watched: tableOf('Plays', [], []), counted_at: null, may_pay: false, recruiters: {} },
    });
    show(<StudyPage sha256={sha256} />);
    await userEvent.click(await screen.findByRole('button', { name: 'CSV: mos-dsl' }));
    await userEvent.click(await screen.findByRole('button', { name: 'CSV: screening-volunteer' }));
    await waitFor(() => { expect(names).toEqual(['eyelevel-pilot-bbbbbbbbbbbb-mos-dsl.csv', 'eyelevel-pilot-screening-volunteer.csv']); });
  });

  it('shows the distribution of all ratings, and no figure by stack, while results are blinded', async () => {
    serve({ [`GET ${path}`]: study(['read']), [`GET ${path}/results?origin=person&lang=en`]: results(true), [figuresPath]: [figure('scores')] });
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByRole('heading', { name: 'All ratings together' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'SVG: scores' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'How satisfying the speed was' })).toBeNull();
  });

  it('lists every session and vote by its outcome while results are blinded, too', async () => {
    const counts = tableOf('Sessions and votes by outcome', [column('outcome'), column('sessions', 'count')], [['used', 34], ['simulated', 8]]);
    serve({ [`GET ${path}`]: study(['read']), [`GET ${path}/results?origin=person&lang=en`]: { ...results(true), counts } });
    show(<StudyPage sha256={sha256} />);
    await userEvent.click(await screen.findByText('Sessions and votes by outcome'));
    expect(screen.getByRole('row', { name: 'used 34' })).toBeVisible();
  });

  it('calls a group by its label, everywhere', async () => {
    const cell = { kind: 'rate', role: 'main', group: 'volunteer', context: 'work', site: 'garden', network: 'DSL', condition: 'QUIC', clips: 1, votes: 1, target: 2 };
    const funnel = { group: 'volunteer', started: 2, completed: 2, waiting: 0, steps: [], otherwise: {}, used: 2, accepted: 2, skipped: 0 };
    const watched = tableOf('Plays', [column('group', 'group'), column('played', 'count')], [['volunteer', 12]]);
    serve({
      [`GET ${path}`]: { ...study([]), cells: [cell] }, [`GET ${path}/results?origin=person&lang=en`]: results(true),
      [`GET ${path}/conformance?origin=person&lang=en`]: { version: 1, rules: [], groups: [funnel], watched, counted_at: null, may_pay: false, recruiters: {} },
    });
    show(<StudyPage sha256={sha256} />);
    await screen.findByRole('heading', { name: 'Playback quality' });
    await userEvent.click(screen.getByText('Plays'));
    expect(screen.getAllByText('Volunteers')).toHaveLength(3);
    expect(document.body).not.toHaveTextContent('volunteer');
  });

  it('offers the owner everything', async () => {
    serve({ [`GET ${path}`]: study(['edit', 'export', 'read', 'share']), [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Share …' })).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Export' })).toBeVisible();
  });

  it('says next to Export that tables in depth are missing until they are computed', async () => {
    const inDepth = { status: 'running', part: '', parts_done: 0, parts: 9, error: '', hypotheses: [], tables: [] };
    const answers = { [`GET ${path}`]: study(['export', 'read']), [`GET ${path}/results?origin=person&lang=en`]: results(false), [`GET ${path}/results/in-depth?origin=person&lang=en`]: inDepth };
    serve(answers);
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByText(/^The tables in depth \(folder/)).toHaveTextContent('are not in the export yet. They are ready a few minutes after the study was closed; then export again.');
    cleanup();
    serve({ ...answers, [`GET ${path}/results/in-depth?origin=person&lang=en`]: { ...inDepth, status: 'done' } });
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByText('There are too few votes for tables in depth.')).toBeVisible();
    expect(screen.queryByText(/not in the export yet/)).toBeNull();
  });

  it('shows results in the field only after one has asked for them', async () => {
    const answers: Record<string, unknown> = { [`GET ${path}`]: study(['read']), [`GET ${path}/results?origin=person&lang=en`]: results(true), [`POST ${path}/unblind`]: [204, null] };
    const sent = serve(answers);
    show(<StudyPage sha256={sha256} />);
    const ask = await screen.findByRole('button', { name: 'Show results by stack; this is recorded' });
    expect(screen.queryByText('QUIC')).toBeNull();
    answers[`GET ${path}/results?origin=person&lang=en`] = results(false);
    await userEvent.click(ask);
    expect(await screen.findByRole('heading', { name: 'How satisfying the speed was' })).toBeVisible();
    expect(sent).toEqual([{ call: `POST ${path}/unblind`, body: null }]);
  });

  it('lists departures and looks, and marks analyses that the plan does not name', async () => {
    const looks = tableOf('Looks', [column('actor'), column('planned', 'count')], [['rosa', null]]);
    const departures = [
      { kind: 'rule', subject: 'conformance.R3.use', sentence: '', before: 'true', after: 'false', at: '2026-11-20T09:58:03Z', sessions: null },
      { kind: 'sample_size', subject: 'sessions', sentence: '', before: '100', after: null, at: null, sessions: 41 },
      { kind: 'analysis', subject: 'mos', sentence: '', before: null, after: null, at: null, sessions: null },
    ];
    serve({ [`GET ${path}`]: study([]), [`GET ${path}/results?origin=person&lang=en`]: { ...results(false), looks, departures } });
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByText('Not in the plan, because no hypothesis is about it: mean ratings (MOS) of stacks.')).toBeVisible();
    const changed = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(changed).toContain('conformance.R3.use was changed from true to false on Nov 20, 2026, after votes on an earlier version.');
    expect(changed).toContain('The study was closed with 41 used sessions; its quotas plan 100.');
    await userEvent.click(screen.getByText('Looks'));
    expect(screen.getByRole('row', { name: 'rosa –' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'How satisfying the speed was not in the plan' })).toBeVisible();
  });

  it('says nothing of departures where there are none', async () => {
    serve({ [`GET ${path}`]: study([]), [`GET ${path}/results?origin=person&lang=en`]: results(false) });
    show(<StudyPage sha256={sha256} />);
    await screen.findByRole('heading', { name: 'How satisfying the speed was' });
    expect(screen.queryByRole('heading', { name: 'Departures from the plan' })).toBeNull();
  });

  it('shows the answers of a planned look during data collection, and when the next one comes', async () => {
    const plan = { hypotheses: [{ key: 'H1', says: 'QUIC is faster.' }] };
    const hypothesis = { hypothesis: 'H1', says: 'QUIC is faster.', kind: 'rate', outcome: 'undecided', sentence: '', unknown: '' };
    const planned_looks = [{ number: 1, sessions: 100, level: 0.000207 }, { number: 2, sessions: 200, level: null }];
    const answers = {
      [`GET ${path}`]: { ...study([]), study: { study: { plan } } },
      [`GET ${path}/results?origin=person&lang=en`]: { ...results(false), collecting: true, look: 1, planned_looks, sessions_used: 130, hypotheses: [hypothesis] },
    };
    serve(answers);
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByText(/These answers belong to look 1 of the plan: the first 100 used sessions, at a level of 0\.00021\. The next look is planned at 200 used sessions; 130 are used now\./)).toBeVisible();
    expect(screen.getByText('Undecided')).toBeVisible();
    expect(screen.queryByText(/Hypotheses are answered when every link/)).toBeNull();
  });

  it('shows results as soon as the study is closed', async () => {
    const answers: Record<string, unknown> = { [`GET ${path}`]: study(['edit', 'read']), [`GET ${path}/results?origin=person&lang=en`]: results(true), 'POST /api/research/fieldings/abc/state': { ...study([]).fieldings[0], state: 'closed', effective_state: 'closed' } };
    serve(answers);
    show(<StudyPage sha256={sha256} />);
    await screen.findByText(/This study is in the field/);
    answers[`GET ${path}/results?origin=person&lang=en`] = results(false);
    await userEvent.click(screen.getByRole('button', { name: 'Close …' }));
    await userEvent.click(screen.getByRole('button', { name: 'Close permanently' }));
    expect(await screen.findByRole('heading', { name: 'How satisfying the speed was' })).toBeVisible();
  });

  it('includes simulated sessions on request, and by a link that asks for them', async () => {
    const simulated = { ...results(false), simulated_sessions: 3, simulated_started: 4, sessions_used: 0, tables: [] };
    const answers = { [`GET ${path}`]: study(['read']), [`GET ${path}/results?origin=person&lang=en`]: simulated, [`GET ${path}/results?origin=all&lang=en`]: { ...results(false), simulated_sessions: 3, simulated_started: 4, sessions_used: 3 } };
    serve(answers);
    show(<StudyPage sha256={sha256} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Include simulated sessions' }));
    expect(await screen.findByText(/This page includes simulated sessions: 3/)).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'How satisfying the speed was' })).toBeVisible();
    cleanup();
    history.replaceState(null, '', '?origin=all');
    show(<StudyPage sha256={sha256} />);
    expect(await screen.findByRole('button', { name: 'Exclude simulated sessions' })).toBeVisible();
    history.replaceState(null, '', '?');
  });

  it('shares by name, lists, and takes back', async () => {
    const shares = [{ username: 'gus', role: 'guest', level: 'read', shared_at: '2026-11-20T09:12:00Z' }];
    const answers: Record<string, unknown> = {
      [`GET ${path}`]: study(['share']), [`GET ${path}/results?origin=person&lang=en`]: results(true), [`GET ${path}/shares`]: shares, [`DELETE ${path}/shares/gus`]: [204, null],
      [`PUT ${path}/shares/o%2Fo`]: [404, { error: { code: 'not_found', message: 'There is no account o/o; check the address.' } }],
    };
    const sent = serve(answers);
    show(<StudyPage sha256={sha256} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Share …' }));
    expect(await screen.findByText('gus')).toBeVisible();
    await userEvent.type(screen.getByLabelText('User name'), 'o/o');
    await userEvent.selectOptions(screen.getByLabelText('Access'), 'edit');
    await userEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByText(/There is no account o\/o/)).toBeVisible();
    answers[`GET ${path}/shares`] = [200, []];
    await userEvent.click(screen.getByRole('button', { name: 'Stop sharing with gus' }));
    await waitFor(() => { expect(screen.getByText('It is not shared with anyone.')).toBeVisible(); });
    expect(sent.map(({ call }) => call)).toEqual([`PUT ${path}/shares/o%2Fo`, `DELETE ${path}/shares/gus`]);
    expect(sent[0]?.body).toEqual({ level: 'edit' });
  });
});
