import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { openStore } from '../../shared/outbox/store';
import ParticipantPage from './ParticipantPage';
import { rememberRecruit, wasRecruitedAs } from './recruit';
import { plainSession, plainTrial, studyText } from '../../test/records';
import { soon } from '../../test/soon';

// there is no decoder here
vi.mock('../../shared/player/useDecoding', () => ({ useDecoding: () => 'yes' }));

const study = { ...studyText, title: { en: 'Speed' }, consent: { version: '1', text: { en: 'Read this.' } }, instructions: { en: '' } };
const invitation = { ...study, state: 'open' };
const panel = { name: 'Panel', id_parameter: 'PID', ways_back: {} };
const session = (comeback: string) => ({ ...plainSession, id: 's1', study, answered: [1], comeback });
const trial = plainTrial;
const fetchMock = vi.fn<(request: Request) => Promise<Response>>();
const json = (status: number, body: unknown, headers = {}) => Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
const callOf = ({ method, url }: Request) => `${method} ${url.slice(location.origin.length)}`;
const sent: { call: string; text: string }[] = [];
const bodiesOf = (wanted: string) => sent.filter(({ call }) => call === wanted).map(({ text }) => JSON.parse(text) as object);
const made = () => fetchMock.mock.calls.map(([request]) => callOf(request));

/** Answers by method and path; what is not named is refused. */
function serve(answers: Record<string, () => Promise<Response>>) {
  fetchMock.mockImplementation((request) => {
    const call = callOf(request);
    const found = Object.entries(answers).find(([start]) => call.startsWith(start));
    return found === undefined ? json(404, { error: { code: 'not_found', message: call } }) : found[1]();
  });
}

function show(preview = false) {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })}>
        <ParticipantPage slug="abc" preview={preview} />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

beforeEach(() => {
  fetchMock.mockReset();
  sent.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push({ call: callOf(request), text: await request.clone().text() });
    return fetchMock(request);
  });
  window.history.replaceState(null, '', '/p/abc');
});

it('says clearly that a study goes on for nobody who left it, and still sends what was left', async () => {
  const store = await openStore();
  const vote = { position: 2, clip_digest: '', kind: 'rate', kind_version: 2, data: {}, layout: 'row' as const, replays: 0, answer_ms: 1, media_ms: null, away: [], answered_at: '', play: null };
  await store.put({ kind: 'vote', body: vote, id: 'left', session_id: 's1', created_at_ms: 1, refused: null });
  serve({
    'GET /api/session?slug=abc': () => json(200, session('block')),
    'PUT /api/session/votes/left': () => json(200, { id: 'left', position: 2, received_at: '2026-01-01T00:00:00Z' }),
  });
  show();
  expect(await screen.findByRole('heading', { name: 'You have already started this study' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Begin' })).not.toBeInTheDocument();
  await soon(() => { expect(made()).toContain('PUT /api/session/votes/left'); });
  await soon(async () => { expect(await store.all()).toEqual([]); });
});

it('says that a study begins anew, and asks for consent again', async () => {
  serve({ 'GET /api/session?slug=abc': () => json(200, session('restart')), 'GET /api/participate/abc': () => json(200, { ...invitation }) });
  show();
  expect(await screen.findByRole('note')).toHaveTextContent('It starts again from the beginning.');
  expect(screen.getByRole('button', { name: 'Begin' })).toBeInTheDocument();
});

it('lets nobody begin a study for which the window has no room, where it says so', async () => {
  const sizes = { min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 };
  const room = [{ kind: 'compare', clip: { width_px: 2576, height_px: 720 }, ...sizes, skippable: false, trials: 4, trial_s: 20 }];
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, room }),
  });
  vi.stubGlobal('innerWidth', 1236);
  vi.stubGlobal('innerHeight', 900);
  show();
  expect(await screen.findByText('This study needs a larger window.')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('The window is 1236 × 900 pixels large; 1237 × 346 are needed.');
  expect(screen.queryByRole('button', { name: 'Begin' })).not.toBeInTheDocument();
  vi.stubGlobal('innerWidth', 1237);
  act(() => { window.dispatchEvent(new Event('resize')); });
  expect(screen.getByRole('button', { name: 'Begin' })).toBeInTheDocument();
});

it('names the page and the study in the title, ignores a held Enter, and takes a fresh press', async () => {
  const said = { ...session('resume'), may_begin_anew: true };
  serve({ 'GET /api/session?slug=abc': () => json(200, said), 'GET /api/participate/abc': () => json(200, invitation) });
  show();
  const goOn = await screen.findByRole('button', { name: 'Continue' });
  expect(document.title).toBe('Welcome back - Speed');
  expect(fireEvent.keyDown(goOn, { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(goOn, { key: 'Enter' })).toBe(true);
  expect(fireEvent.keyDown(goOn, { key: 'ArrowDown', repeat: true })).toBe(true);
});

it('has the study alone in the title of the page whose heading it is', async () => {
  serve({ 'GET /api/session?slug=abc': () => Promise.resolve(new Response(null, { status: 204 })), 'GET /api/participate/abc': () => json(200, invitation) });
  show();
  expect(await screen.findByRole('heading', { name: 'Speed' })).toBeVisible();
  expect(document.title).toBe('Speed');
});

describe('a document that brought the study', () => {
  const bring = (more: object) => {
    const block = document.createElement('script');
    block.type = 'application/json';
    block.id = 'delivered';
    block.textContent = JSON.stringify({ slug: 'abc', invitation, is_new: true, shown: true, ...more });
    document.body.append(block);
    onTestFinished(() => { block.remove(); });
  };

  it('asks the server nothing where nobody has begun', async () => {
    serve({});
    bring({});
    show();
    await userEvent.click(screen.getByRole('checkbox'));
    expect(screen.getByRole('button', { name: 'Begin' })).toBeEnabled();
    expect(made().filter((call) => call.includes('/api/'))).toEqual([]);
  });

  it('lets people read while the server is asked whether they have begun, and begin once it has answered', async () => {
    let answered: (response: Response) => void = () => undefined;
    serve({ 'GET /api/session?slug=abc': () => new Promise((resolve) => { answered = resolve; }) });
    bring({ is_new: false });
    show();
    await userEvent.click(screen.getByRole('checkbox'));
    const begin = screen.getByRole('button', { name: 'Begin' });
    expect(begin).toBeDisabled();
    await soon(() => { expect(made()).toEqual(['GET /api/session?slug=abc']); });
    answered(new Response(null, { status: 204 }));
    await soon(() => { expect(begin).toBeEnabled(); });
    expect(screen.getByRole('checkbox')).toBeChecked();
  });

  it('shows nobody the consent again who may have begun', () => {
    serve({ 'GET /api/session?slug=abc': () => new Promise(() => undefined) });
    bring({ is_new: false, shown: false });
    show();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });

  it.each([{ slug: 'another' }, { invitation: { title: 1 } }])('believes no other data (%o)', async (wrong) => {
    serve({ 'GET /api/session?slug=abc': () => Promise.resolve(new Response(null, { status: 204 })), 'GET /api/participate/abc': () => json(200, invitation) });
    bring(wrong);
    show();
    expect(await screen.findByRole('checkbox')).toBeVisible();
    expect(made()).toEqual(['GET /api/session?slug=abc', 'GET /api/participate/abc']);
  });
});

it('begins one session for a double click, and the same one where the answer got lost', async () => {
  let calls = 0;
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'POST /api/participate/abc/sessions': () => {
      calls += 1;
      return calls === 1 ? json(500, {}) : json(201, { ...session('resume'), state: 'completed' });
    },
    'GET /api/participate/abc': () => json(200, { ...invitation }),
    'POST /api/session/finish': () => json(200, { completion_code: 'K7QX', debriefing: null, back: null }),
  });
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  const begin = screen.getByRole('button', { name: 'Begin' });
  // before React has disabled the button
  act(() => {
    begin.click();
    begin.click();
  });
  expect(await screen.findByText(/could not be started/)).toBeInTheDocument();
  expect(calls).toBe(1);
  fireEvent.click(begin);
  await screen.findByText('K7QX');
  const ids = bodiesOf('POST /api/participate/abc/sessions').map((body) => (body as { begin_id: string }).begin_id);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
});

it('tells before consent how many videos the window leaves out, and what is left', async () => {
  const sizes = { min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 };
  const rating = { kind: 'rate', clip: { width_px: 1280, height_px: 720 }, min_width_px: 0, min_scale: 0.2, min_device_scale: 0.48, skippable: false, trials: 6, trial_s: 10 };
  const room = [{ kind: 'compare', clip: { width_px: 2576, height_px: 720 }, ...sizes, skippable: true, trials: 4, trial_s: 20 }, rating];
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, trial_count: 10, seconds: 250, room }),
  });
  vi.stubGlobal('innerWidth', 1000);
  vi.stubGlobal('innerHeight', 700);
  vi.stubGlobal('screen', { availWidth: 1920, availHeight: 1040 });
  show();
  expect(await screen.findByText('6 short videos, about 3 minutes')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent(
    '4 more videos are left out, because this window is too small for them. If you want to see them too: Please make the window larger.',
  );
  vi.stubGlobal('innerWidth', 1265);
  act(() => { window.dispatchEvent(new Event('resize')); });
  expect(screen.getByText('10 short videos, about 5 minutes')).toBeInTheDocument();
  expect(screen.queryByText(/left out/)).toBeNull();
});

it('speaks of one video and one minute as of one', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, trial_count: 1, seconds: 60 }),
  });
  show();
  expect(await screen.findByText('1 short video, about 1 minute')).toBeInTheDocument();
});

it('begins by itself a moment later where many begin at once', async () => {
  let calls = 0;
  const busy = { error: { code: 'busy', message: 'Many.', retry: true, details: { retry_after_s: 0.6 } } };
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'POST /api/participate/abc/sessions': () => {
      calls += 1;
      return calls === 1 ? json(429, busy) : json(201, { ...session('resume'), state: 'completed' });
    },
    'GET /api/participate/abc': () => json(200, { ...invitation }),
    'POST /api/session/finish': () => json(200, { completion_code: 'K7QX', debriefing: null, back: null }),
  });
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByText(/Many people are starting right now/)).toBeInTheDocument();
  expect(await screen.findByText('K7QX')).toBeInTheDocument();
  expect(calls).toBe(2);
});

it('asks for its session by name when it is in the middle of it', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(200, { ...session('resume'), state: 'completed' }),
    'POST /api/session/finish': () => json(409, { error: { code: 'votes_missing', message: '…', details: { positions: [1] } } }),
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Go to the missing videos' }));
  await soon(() => { expect(made()).toContain('GET /api/session?slug=abc&session_id=s1'); });
});

it('leads from the end to the questions about the person that the server misses, and then to the code', async () => {
  const question = { key: 'age', label: { en: 'How old?' }, required: true, choices: [{ key: 'old', label: { en: 'old' } }] };
  let told = false;
  serve({
    'GET /api/session?slug=abc': () => json(200, { ...session('resume'), trials: [trial], study: { ...study, questions: [question] } }),
    'PUT /api/session/person': () => {
      told = true;
      return Promise.resolve(new Response(null, { status: 204 }));
    },
    'POST /api/session/finish': () => (told ? json(200, { completion_code: 'K7QX', debriefing: null, back: null }) : json(409, { error: { code: 'person_missing', message: '…', details: { keys: ['age'] } } })),
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Go to the questions' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'old' }));
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('K7QX')).toBeInTheDocument();
});

it('says the same to one whom the server knows by other means than a cookie', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'already_begun', message: 'Once only.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation }),
  });
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByRole('heading', { name: 'You have already started this study' })).toBeInTheDocument();
});

it('previews a study that takes nobody, says so on every page, and starts over when asked', async () => {
  const begun = { ...session('resume'), answered: [], person_answered: false, preview: true, study: { ...study, instructions: { en: 'Watch.' } } };
  serve({
    'GET /api/session?slug=abc&preview=true': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, state: 'closed' }),
    'POST /api/research/fieldings/abc/preview': () => json(201, { ...begun, trials: [trial] }),
  });
  show(true);
  await userEvent.click(await screen.findByRole('checkbox'));
  expect(screen.getByRole('note')).toHaveTextContent('Preview: nothing is stored as data');
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
  expect(screen.getByRole('note')).toHaveTextContent('Preview: nothing is stored as data');
  expect(made()).not.toContain('POST /api/participate/abc/sessions');

  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(await screen.findByRole('button', { name: 'Begin' })).toBeInTheDocument();
});

it('says nothing of a preview to participants', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation }),
  });
  show();
  expect(await screen.findByRole('button', { name: 'Begin' })).toBeInTheDocument();
  expect(screen.queryByRole('note')).not.toBeInTheDocument();
});

describe('a browser that people share', () => {
  const shared = (more: object) => ({ ...session('resume'), trials: [trial], answered: [], person_answered: false, may_begin_anew: true, study: { ...study, instructions: { en: 'Watch.' } }, ...more });
  const bodies = () => bodiesOf('POST /api/participate/abc/sessions');
  const answers = (first: object) => ({
    'GET /api/session?slug=abc': () => json(200, first),
    'GET /api/participate/abc': () => json(200, { ...invitation }),
    'POST /api/participate/abc/sessions': () => json(201, shared({ id: 's2' })),
    'POST /api/session/finish': () => json(200, { completion_code: 'K7QX', debriefing: null, back: null }),
  });

  it('asks who comes back, and goes on with the session that was begun', async () => {
    serve(answers(shared({})));
    show();
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
    expect(bodies()).toEqual([]);
  });

  it('lets somebody else begin, once they have agreed to leave what could go on', async () => {
    serve(answers(shared({})));
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Take part as another person' }));
    expect(screen.getByText(/then cannot be continued/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Take part as another person' }));
    await userEvent.click(screen.getByRole('button', { name: 'Leave it and start again' }));
    await userEvent.click(await screen.findByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
    expect(bodies()).toEqual([expect.objectContaining({ anew: true })]);
  });

  it.each([
    ['is complete', { state: 'completed' }],
    ['begins anew', { comeback: 'restart' }],
    ['goes on for nobody', { comeback: 'block' }],
  ])('offers it without a question where the session %s', async (_which, more) => {
    serve(answers(shared(more)));
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Take part as another person' }));
    expect(screen.queryByText('K7QX')).not.toBeInTheDocument();
    await userEvent.click(await screen.findByRole('checkbox'));
    expect(screen.queryByRole('button', { name: 'Take part as another person' })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
    expect(bodies()).toEqual([expect.objectContaining({ anew: true })]);
  });

  it('offers it to nobody whom a recruiter tells apart', async () => {
    serve(answers(shared({ may_begin_anew: false })));
    show();
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Take part as another person' })).not.toBeInTheDocument();
  });
});

it('tells whoever took part elsewhere where their code is, and whom to ask', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'already_took_part', message: 'Once only.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation }),
  });
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByRole('heading', { name: 'You have taken part in this study already' })).toBeInTheDocument();
  expect(screen.getByText(/open your first link in the same browser as before/)).toHaveTextContent('me@example.org');
});

const tookPart = (more: object) => ({
  'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
  'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'already_took_part', message: 'Once only.' } }),
  'GET /api/participate/abc': () => json(200, { ...invitation, ...more }),
});

it('lets somebody else begin where this browser took part by another link, once they have agreed themselves', async () => {
  serve(tookPart({}));
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Take part as another person' }));
  expect(await screen.findByRole('checkbox')).not.toBeChecked();
  serve({ ...tookPart({}), 'POST /api/participate/abc/sessions': () => json(201, { ...session('resume'), state: 'completed' }), 'POST /api/session/finish': () => json(200, { completion_code: 'K7QX', debriefing: null, back: null }) });
  await userEvent.click(screen.getByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByText('K7QX')).toBeInTheDocument();
  const bodies = bodiesOf('POST /api/participate/abc/sessions');
  expect(bodies.at(-1)).toEqual(expect.objectContaining({ anew: true }));
});

it('lets nobody else begin by a link whose recruiter tells people apart', async () => {
  window.history.replaceState(null, '', '/p/abc?PID=B');
  serve(tookPart({ recruiter: panel }));
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByRole('heading', { name: 'You have taken part in this study already' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Take part as another person' })).not.toBeInTheDocument();
});

describe('a link that names a person', () => {
  const link = (id: string) => { window.history.replaceState(null, '', `/p/abc?PID=${id}`); };
  const recruited = (state = 'open') => json(200, { ...invitation, state, recruiter: panel });
  const completed = (id: string) => json(200, { ...session('resume'), id, state: 'completed' });
  const finish = { 'POST /api/session/finish': () => json(200, { completion_code: 'K7QX', debriefing: null, back: null }) };

  const nobody = { 'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }) };

  it('sends all of its parameters with the beginning', async () => {
    window.history.replaceState(null, '', '/p/abc?PID=A&STUDY_ID=s1&SESSION_ID=x%26y');
    serve({ ...nobody, 'GET /api/participate/abc': () => recruited(), 'POST /api/participate/abc/sessions': () => completed('s2'), ...finish });
    show();
    await userEvent.click(await screen.findByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
    const [begun] = bodiesOf('POST /api/participate/abc/sessions');
    expect(begun).toEqual(expect.objectContaining({ recruit: { id: 'A' }, arrival: { PID: 'A', STUDY_ID: 's1', SESSION_ID: 'x&y' } }));
  });

  it('offers a way out before anything begins, and back to the consent', async () => {
    link('A');
    serve({ ...nobody, 'GET /api/participate/abc': () => recruited() });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'I do not want to take part' }));
    expect(screen.getByRole('heading', { name: 'You are not taking part' })).toBeInTheDocument();
    expect(screen.getByText('Nothing about you has been stored. Thank you for your interest.')).toBeInTheDocument();
    expect(screen.getByText(/no link back to Panel/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Read about the study again' }));
    expect(screen.getByRole('checkbox')).not.toBeChecked();
    expect(made().filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  it("does not go on with another's session in a shared browser", async () => {
    rememberRecruit('s1', 'A');
    link('B');
    serve({
      'GET /api/session?slug=abc': () => completed('s1'),
      'POST /api/participate/abc/sessions': () => completed('s2'),
      'GET /api/participate/abc': () => recruited(),
      ...finish,
    });
    show();
    await userEvent.click(await screen.findByRole('checkbox'));
    expect(made()).not.toContain('POST /api/session/finish');
    await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
    const texts = sent.map(({ text }) => text).filter((text) => text !== '');
    expect(texts.map((body) => JSON.parse(body) as object)).toEqual([
      expect.objectContaining({ recruit: { id: 'B' } }),
      expect.objectContaining({ session_id: 's2' }),
    ]);
    expect([wasRecruitedAs('s2', 'B'), wasRecruitedAs('s1', 'A')]).toEqual([true, true]);
  });

  it.each([
    ['their own session', () => { rememberRecruit('s1', 'B'); link('B'); }],
    ['a session begun here, where the link lacks the id', () => { window.history.replaceState(null, '', '/p/abc?from=mail'); }],
  ])('goes on with %s', async (_which, arrange) => {
    arrange();
    serve({ 'GET /api/session?slug=abc': () => completed('s1'), 'GET /api/participate/abc': () => recruited('closed'), ...finish });
    show();
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
  });

  it.each(['', '?PID=', '?from=mail'])('tells before consent that the id is missing in /p/abc%s, and whom to ask', async (search) => {
    window.history.replaceState(null, '', `/p/abc${search}`);
    serve({ 'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }), 'GET /api/participate/abc': () => recruited() });
    show();
    expect(await screen.findByRole('heading', { name: 'A part of your link is missing' })).toBeInTheDocument();
    expect(screen.getByText(/If you see this page again and again/)).toHaveTextContent('me@example.org');
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    expect(made()).not.toContain('POST /api/participate/abc/sessions');
  });

  it('tells whoever would begin anew what the server knows: nobody had sent them', async () => {
    serve({
      'GET /api/session?slug=abc': () => json(200, session('restart')),
      'POST /api/participate/abc/sessions': () => json(422, { error: { code: 'recruit_missing', message: '…', details: { field: 'recruit' } } }),
      'GET /api/participate/abc': () => recruited(),
    });
    show();
    await userEvent.click(await screen.findByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
    expect(await screen.findByRole('heading', { name: 'A part of your link is missing' })).toBeInTheDocument();
  });

  it('asks no id of a preview', async () => {
    serve({ 'GET /api/session?slug=abc&preview=true': () => json(401, { error: { code: 'no_session', message: 'None.' } }), 'GET /api/participate/abc': () => recruited() });
    show(true);
    expect(await screen.findByRole('button', { name: 'Begin' })).toBeInTheDocument();
  });

  it("begins where the browser remembers nothing, and another's blocked session is none of theirs", async () => {
    const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => { throw new Error('private'); });
    link('B');
    serve({
      'GET /api/session?slug=abc': () => json(200, session('block')),
      'POST /api/participate/abc/sessions': () => completed('s2'),
      'GET /api/participate/abc': () => recruited(),
      ...finish,
    });
    show();
    await userEvent.click(await screen.findByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
    refused.mockRestore();
  });

  it('lets them go on in another browser though the study takes nobody new', async () => {
    link('B');
    serve({
      'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
      'POST /api/participate/abc/sessions': () => completed('s2'),
      'GET /api/participate/abc': () => recruited('closed'),
      ...finish,
    });
    show();
    expect(await screen.findByRole('heading', { name: 'This study has ended' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'I have already started' }));
    await userEvent.click(await screen.findByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
  });
});

it('lets the server say whether a session begun here may begin anew in a full study', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(200, session('restart')),
    'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'not_open', message: 'Nobody.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, state: 'full' }),
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'I have already started' }));
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByRole('heading', { name: 'This study has all the participants it needs' })).toBeInTheDocument();
});

it('offers nothing to newcomers where a study takes nobody', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, state: 'closed' }),
  });
  show();
  expect(await screen.findByRole('heading', { name: 'This study has ended' })).toBeInTheDocument();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
