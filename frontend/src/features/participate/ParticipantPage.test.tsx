import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { agreeAndBegin, bodiesOf, finish, invitation, json, nobody, requests, serve, session, show, study } from '../../test/participantPage';
import { plainTrial } from '../../test/records';
import { soon } from '../../test/soon';

// there is no decoder here
vi.mock('../../shared/player/video/useDecoding', () => ({ useDecoding: () => 'yes' }));

it('prevents starting a study that requires a larger window', async () => {
  const sizes = { min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 };
  const room = [{ kind: 'compare', clip: { width_px: 2576, height_px: 720 }, ...sizes, skippable: false, trials: 4, controls: 0, trial_s: 20 }];
  serve({
    ...nobody,
    'GET /api/participate/abc': () => json(200, { ...invitation, room }),
  });
  vi.stubGlobal('innerWidth', 1236);
  vi.stubGlobal('innerHeight', 900);
  show();
  expect(await screen.findByText('This study needs a larger window.')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('The window size is 1236 × 900 pixels; 1237 × 346 are needed.');
  expect(screen.queryByRole('button', { name: 'Begin' })).not.toBeInTheDocument();
  vi.stubGlobal('innerWidth', 1237);
  act(() => { window.dispatchEvent(new Event('resize')); });
  expect(screen.getByRole('button', { name: 'Begin' })).toBeInTheDocument();
});

it('shows page and study in the title, ignores a held Enter, and accepts a new press', async () => {
  const said = { ...session('resume'), allows_another_person: true };
  serve({ 'GET /api/session?slug=abc': () => json(200, said), 'GET /api/participate/abc': () => json(200, invitation) });
  show();
  const goOn = await screen.findByRole('button', { name: 'Continue' });
  expect(document.title).toBe('Welcome back - Speed');
  expect(fireEvent.keyDown(goOn, { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(goOn, { key: 'Enter' })).toBe(true);
  expect(fireEvent.keyDown(goOn, { key: 'ArrowDown', repeat: true })).toBe(true);
});

it('shows only the study in the title of the page with the same heading', async () => {
  serve({ ...nobody, 'GET /api/participate/abc': () => json(200, invitation) });
  show();
  expect(await screen.findByRole('heading', { name: 'Speed' })).toBeVisible();
  expect(document.title).toBe('Speed');
});

describe('a document with embedded study data', () => {
  const bring = (more: object) => {
    const block = document.createElement('script');
    block.type = 'application/json';
    block.id = 'delivered';
    block.textContent = JSON.stringify({ slug: 'abc', invitation, is_new: true, shown: true, ...more });
    document.body.append(block);
    onTestFinished(() => { block.remove(); });
  };

  it('sends no request if there is no session', async () => {
    serve({});
    bring({});
    show();
    await userEvent.click(screen.getByRole('checkbox'));
    expect(screen.getByRole('button', { name: 'Begin' })).toBeEnabled();
    expect(requests().filter((call) => call.includes('/api/'))).toEqual([]);
  });

  it('shows the text while it checks for a session, and allows starting afterwards', async () => {
    let answered: (response: Response) => void = () => undefined;
    serve({ 'GET /api/session?slug=abc': () => new Promise((resolve) => { answered = resolve; }) });
    bring({ is_new: false });
    show();
    await userEvent.click(screen.getByRole('checkbox'));
    const begin = screen.getByRole('button', { name: 'Begin' });
    expect(begin).toBeDisabled();
    await soon(() => { expect(requests()).toEqual(['GET /api/session?slug=abc']); });
    answered(new Response(null, { status: 204 }));
    await soon(() => { expect(begin).toBeEnabled(); });
    expect(screen.getByRole('checkbox')).toBeChecked();
  });

  it('does not show the consent again to a person who may have a session', () => {
    serve({ 'GET /api/session?slug=abc': () => new Promise(() => undefined) });
    bring({ is_new: false, shown: false });
    show();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });

  it.each([{ slug: 'another' }, { invitation: { title: 1 } }])('ignores other data (%o)', async (wrong) => {
    serve({ ...nobody, 'GET /api/participate/abc': () => json(200, invitation) });
    bring(wrong);
    show();
    expect(await screen.findByRole('checkbox')).toBeVisible();
    expect(requests()).toEqual(['GET /api/session?slug=abc', 'GET /api/participate/abc']);
  });
});

it('creates one session for a double click, and the same one after a lost response', async () => {
  let calls = 0;
  serve({
    ...nobody,
    'POST /api/participate/abc/sessions': () => {
      calls += 1;
      return calls === 1 ? json(500, {}) : json(201, { ...session('resume'), state: 'completed' });
    },
    'GET /api/participate/abc': () => json(200, invitation),
    ...finish,
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

it('shows before consent how many videos the window leaves out, and how many remain', async () => {
  const sizes = { min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 };
  const rating = { kind: 'rate', clip: { width_px: 1280, height_px: 720 }, min_width_px: 0, min_scale: 0.2, min_device_scale: 0.48, skippable: false, trials: 6, controls: 0, trial_s: 10 };
  const room = [{ kind: 'compare', clip: { width_px: 2576, height_px: 720 }, ...sizes, skippable: true, trials: 4, controls: 0, trial_s: 20 }, rating];
  serve({
    ...nobody,
    'GET /api/participate/abc': () => json(200, { ...invitation, trial_count: 10, seconds: 250, room }),
  });
  vi.stubGlobal('innerWidth', 1000);
  vi.stubGlobal('innerHeight', 700);
  vi.stubGlobal('screen', { availWidth: 1920, availHeight: 1040 });
  show();
  expect(await screen.findByText('6 short videos, about 3 minutes')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent(
    '4 more videos are left out, because this window is too small for them. If you also want to see them: Please make the window larger.',
  );
  vi.stubGlobal('innerWidth', 1265);
  act(() => { window.dispatchEvent(new Event('resize')); });
  expect(screen.getByText('10 short videos, about 5 minutes')).toBeInTheDocument();
  expect(screen.queryByText(/left out/)).toBeNull();
});

it('uses the singular for one video and one minute', async () => {
  serve({
    ...nobody,
    'GET /api/participate/abc': () => json(200, { ...invitation, trial_count: 1, seconds: 60 }),
  });
  show();
  expect(await screen.findByText('1 short video, about 1 minute')).toBeInTheDocument();
});

it('retries automatically when many people start at once', async () => {
  let calls = 0;
  const busy = { error: { code: 'busy', message: 'Many.', retry: true, details: { retry_after_s: 0.6 } } };
  serve({
    ...nobody,
    'POST /api/participate/abc/sessions': () => {
      calls += 1;
      return calls === 1 ? json(429, busy) : json(201, { ...session('resume'), state: 'completed' });
    },
    'GET /api/participate/abc': () => json(200, invitation),
    ...finish,
  });
  show();
  await agreeAndBegin();
  expect(await screen.findByText(/Many people are starting right now/)).toBeInTheDocument();
  expect(await screen.findByText('K7QX')).toBeInTheDocument();
  expect(calls).toBe(2);
});

it('shows the reason why the study cannot start while the server has too little space', async () => {
  const full = { error: { code: 'no_room', message: 'Full.', retry: true, details: { retry_after_s: 30 } } };
  serve({ ...nobody, 'POST /api/participate/abc/sessions': () => json(507, full), 'GET /api/participate/abc': () => json(200, invitation) });
  show();
  await agreeAndBegin();
  expect(await screen.findByText(/The study cannot be started right now, because our server has too little storage space/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Begin' })).toBeEnabled();
});

it('requests the session by id while it is in progress', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(200, { ...session('resume'), state: 'completed' }),
    'POST /api/session/finish': () => json(409, { error: { code: 'votes_missing', message: '…', details: { positions: [1] } } }),
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Go to the missing videos' }));
  await soon(() => { expect(requests()).toContain('GET /api/session?slug=abc&session_id=s1'); });
});

it('leads from the end to missing questions about the person, and then to the code', async () => {
  const question = { key: 'age', label: { en: 'How old?' }, required: true, choices: [{ key: 'old', label: { en: 'old' } }] };
  let personSaved = false;
  serve({
    'GET /api/session?slug=abc': () => json(200, { ...session('resume'), trials: [plainTrial], study: { ...study, questions: [question] } }),
    'PUT /api/session/person': () => {
      personSaved = true;
      return Promise.resolve(new Response(null, { status: 204 }));
    },
    'POST /api/session/finish': () => (personSaved ? json(200, { completion_code: 'K7QX', debriefing: null, back: null }) : json(409, { error: { code: 'person_missing', message: '…', details: { keys: ['age'] } } })),
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Go to the questions' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'old' }));
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('K7QX')).toBeInTheDocument();
});

it('creates one preview for a double click', async () => {
  const begun = { ...session('resume'), answered: [], preview: true, study: { ...study, instructions: { en: 'Watch.' } }, trials: [plainTrial] };
  serve({
    'GET /api/session?slug=abc&preview=true': () => Promise.resolve(new Response(null, { status: 204 })),
    'GET /api/participate/abc': () => json(200, invitation),
    'POST /api/research/fieldings/abc/preview': () => json(201, begun),
  });
  show(true);
  await userEvent.click(await screen.findByRole('checkbox'));
  const begin = screen.getByRole('button', { name: 'Begin' });
  act(() => {
    begin.click();
    begin.click();
  });
  expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
  expect(bodiesOf('POST /api/research/fieldings/abc/preview')).toHaveLength(1);
});

it('previews a study that is not open, shows this on every page, and starts over on request', async () => {
  const begun = { ...session('resume'), answered: [], person_answered: false, preview: true, study: { ...study, instructions: { en: 'Watch.' } } };
  serve({
    'GET /api/session?slug=abc&preview=true': () => json(401, { error: { code: 'no_session', message: 'None.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, state: 'closed' }),
    'POST /api/research/fieldings/abc/preview': () => json(201, { ...begun, trials: [plainTrial] }),
  });
  show(true);
  await userEvent.click(await screen.findByRole('checkbox'));
  expect(screen.getByRole('note')).toHaveTextContent('Preview: answers are not stored as study data');
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
  expect(screen.getByRole('note')).toHaveTextContent('Preview: answers are not stored as study data');
  expect(requests()).not.toContain('POST /api/participate/abc/sessions');

  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(await screen.findByRole('button', { name: 'Begin' })).toBeInTheDocument();
});

it('does not mention previews to participants', async () => {
  serve({
    ...nobody,
    'GET /api/participate/abc': () => json(200, invitation),
  });
  show();
  expect(await screen.findByRole('button', { name: 'Begin' })).toBeInTheDocument();
  expect(screen.queryByRole('note')).not.toBeInTheDocument();
});

it('checks a full study for a free place, and then shows it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => { vi.useRealTimers(); });
  let state = 'full';
  serve({ ...nobody, 'GET /api/participate/abc': () => json(200, { ...invitation, state }) });
  show();
  expect(await screen.findByText('If somebody stops early, a place becomes free. This page checks for a free place every minute, and then shows the study.')).toBeInTheDocument();
  const asked = () => requests().filter((call) => call.startsWith('GET /api/participate/abc')).length;
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(asked()).toBe(2);
  expect(screen.queryByRole('button', { name: 'Begin' })).not.toBeInTheDocument();
  state = 'open';
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(await screen.findByRole('button', { name: 'Begin' })).toBeInTheDocument();
  // and no longer: whoever reads the consent is not interrupted
  await act(() => vi.advanceTimersByTimeAsync(180_000));
  expect(asked()).toBe(3);
});
