import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openStore } from '../../../shared/outbox/store';
import { agreeAndBegin, bodiesOf, finish, invitation, json, nobody, requests, serve, session, show, study, tookPart } from '../../../test/participantPage';
import { plainTrial, playBody } from '../../../test/records';
import { soon } from '../../../test/soon';
import { rememberSkipped } from '../steps/useDone';

// there is no decoder here
vi.mock('../../../shared/player/video/useDecoding', () => ({ useDecoding: () => 'yes' }));

const vote = { position: 2, clip_digest: '', kind: 'rate', kind_version: 2, data: {}, layout: 'row' as const, replays: 0, answer_ms: 1, media_ms: null, away: [], answered_at: '', play: null };
const leaveVote = async () => {
  const store = await openStore();
  onTestFinished(() => store.forget('s1'));
  await store.put({ kind: 'vote', body: vote, id: 'left', session_id: 's1', created_at_ms: 1, refused: null });
  return store;
};
const received = () => json(200, { id: 'left', position: 2, received_at: '2026-01-01T00:00:00Z' });
const missing = () => json(409, { error: { code: 'votes_missing', message: '…', details: { positions: [3] } } });

it('states that a left study cannot be continued, and still sends remaining answers', async () => {
  const store = await leaveVote();
  serve({
    'GET /api/session?slug=abc': () => json(200, session('block')),
    'PUT /api/session/votes/left': received,
    'POST /api/session/finish': missing,
  });
  show();
  expect(await screen.findByRole('heading', { name: 'You have already started this study' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Begin' })).not.toBeInTheDocument();
  await soon(() => { expect(requests()).toContain('PUT /api/session/votes/left'); });
  await soon(async () => { expect(await store.all()).toEqual([]); });
});

describe.each(['block', 'restart'])('a page that was left while it sent the last answers, in a study with resume policy %s', (comeback) => {
  /** A server that has everything but the last vote, and takes it at the `takes`th try. */
  const serveLast = ({ takes }: { takes: number }) => {
    let [tries, finished] = [0, false];
    serve({
      'GET /api/session?slug=abc': () => json(200, { ...session(finished ? 'resume' : comeback), state: finished ? 'completed' : 'started' }),
      'GET /api/participate/abc': () => json(200, invitation),
      'PUT /api/session/votes/left': () => {
        tries += 1;
        return tries < takes ? json(503, { error: { code: 'busy', message: 'Later.', retry: true } }) : received();
      },
      'POST /api/session/finish': () => {
        if (tries < takes) return missing();
        finished = true;
        return finish['POST /api/session/finish']();
      },
    });
  };

  it('shows the end of a fully answered session', async () => {
    await leaveVote();
    rememberSkipped('s1', [3]);
    serveLast({ takes: 1 });
    show();
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
    const calls = requests().filter((call) => !call.includes('/participate/'));
    expect(calls.slice(0, 4)).toEqual(['GET /api/session?slug=abc', 'PUT /api/session/votes/left', 'POST /api/session/finish', 'GET /api/session?slug=abc']);
    expect(bodiesOf('POST /api/session/finish')[0]).toEqual({ session_id: 's1', skipped: [3] });
  });

  it('shows it when the server accepts the last answer', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await leaveVote();
    serveLast({ takes: 3 });
    show();
    expect(await screen.findByText(comeback === 'block' ? /You cannot continue this study after leaving it/ : /It starts again from the beginning/)).toBeInTheDocument();
    expect(await screen.findByText('K7QX', {}, { timeout: 5000 })).toBeInTheDocument();
  });

  it('shows nothing before the server has responded', async () => {
    let away = true;
    serve({
      'GET /api/session?slug=abc': () => json(200, session(comeback)),
      'GET /api/participate/abc': () => json(200, invitation),
      'POST /api/session/finish': () => (away ? json(503, { error: { code: 'busy', message: 'Later.', retry: true } }) : missing()),
    });
    show();
    await soon(() => { expect(requests()).toContain('POST /api/session/finish'); });
    expect(screen.queryByText(/You cannot continue this study after leaving it|It starts again from the beginning/)).not.toBeInTheDocument();
    away = false;
    expect(await screen.findByText(/You cannot continue this study after leaving it|It starts again from the beginning/, {}, { timeout: 5000 })).toBeInTheDocument();
  });
});

describe('a video that was watched and not yet answered', () => {
  const seen = (comeback: string) => ({ ...session(comeback), trials: [plainTrial], answered: [], allows_another_person: true });
  const leavePlay = async () => {
    const store = await openStore();
    onTestFinished(() => store.forget('s1'));
    await store.put({ kind: 'play', body: playBody, id: 'play', session_id: 's1', created_at_ms: 1, refused: null });
  };

  it('is not shown again if the study cannot be continued, because the server receives the play first', async () => {
    await leavePlay();
    let played = false;
    serve({
      'GET /api/session?slug=abc': () => json(200, seen(played ? 'block' : 'resume')),
      'PUT /api/session/plays/play': () => {
        played = true;
        return json(200, { id: 'play', position: 1, received_at: '2026-01-01T00:00:00Z' });
      },
    });
    show();
    expect(await screen.findByRole('heading', { name: 'You have already started this study' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Welcome back' })).not.toBeInTheDocument();
    const [asked, ...then] = requests().filter((call) => !call.includes('/participate/'));
    expect([asked, ...then]).toEqual(['GET /api/session?slug=abc', 'PUT /api/session/plays/play', 'GET /api/session?slug=abc']);
  });

  it('does not block if the server rejects the play', async () => {
    await leavePlay();
    serve({ 'GET /api/session?slug=abc': () => json(200, seen('resume')), 'PUT /api/session/plays/play': () => json(500, {}) });
    show();
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
  });
});

it('states that a study starts again, and asks for consent again', async () => {
  serve({ 'GET /api/session?slug=abc': () => json(200, session('restart')), 'GET /api/participate/abc': () => json(200, invitation) });
  show();
  expect(await screen.findByRole('note')).toHaveTextContent('It starts again from the beginning.');
  expect(screen.getByRole('button', { name: 'Begin' })).toBeInTheDocument();
});

it('states the same to a person whom the server recognises without a cookie', async () => {
  serve({
    ...nobody,
    'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'already_begun', message: 'Once only.' } }),
    'GET /api/participate/abc': () => json(200, invitation),
  });
  show();
  await agreeAndBegin();
  expect(await screen.findByRole('heading', { name: 'You have already started this study' })).toBeInTheDocument();
});

describe('a browser that people share', () => {
  const shared = (more: object) => ({ ...session('resume'), trials: [plainTrial], answered: [], person_answered: false, allows_another_person: true, study: { ...study, instructions: { en: 'Watch.' } }, ...more });
  const bodies = () => bodiesOf('POST /api/participate/abc/sessions');
  const answers = (first: object) => ({
    'GET /api/session?slug=abc': () => json(200, first),
    'GET /api/participate/abc': () => json(200, invitation),
    'POST /api/participate/abc/sessions': () => json(201, shared({ id: 's2' })),
    ...finish,
  });

  it('asks who returns, and continues the session', async () => {
    serve(answers(shared({})));
    show();
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
    expect(bodies()).toEqual([]);
  });

  it('lets another person start after confirming to discard the session', async () => {
    serve(answers(shared({})));
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Take part as another person' }));
    expect(screen.getByText(/can then no longer be continued/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Take part as another person' }));
    await userEvent.click(screen.getByRole('button', { name: 'Discard that session and start again' }));
    await agreeAndBegin();
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
    expect(bodies()).toEqual([expect.objectContaining({ another_person: true })]);
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
    expect(bodies()).toEqual([expect.objectContaining({ another_person: true })]);
  });

  it('is not offered if a recruiter identifies people', async () => {
    serve(answers(shared({ allows_another_person: false })));
    show();
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Take part as another person' })).not.toBeInTheDocument();
  });
});

it('shows people who took part elsewhere where to find their code, and a contact', async () => {
  serve({
    ...nobody,
    'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'already_took_part', message: 'Once only.' } }),
    'GET /api/participate/abc': () => json(200, invitation),
  });
  show();
  await agreeAndBegin();
  expect(await screen.findByRole('heading', { name: 'You have already taken part in this study' })).toBeInTheDocument();
  expect(screen.getByText(/open your first link in the same browser as before/)).toHaveTextContent('me@example.org');
});

it('lets another person start after their consent if this browser took part by another link', async () => {
  serve(tookPart({}));
  show();
  await agreeAndBegin();
  await userEvent.click(await screen.findByRole('button', { name: 'Take part as another person' }));
  expect(await screen.findByRole('checkbox')).not.toBeChecked();
  serve({ ...tookPart({}), 'POST /api/participate/abc/sessions': () => json(201, { ...session('resume'), state: 'completed' }), ...finish });
  await userEvent.click(screen.getByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
  expect(await screen.findByText('K7QX')).toBeInTheDocument();
  const bodies = bodiesOf('POST /api/participate/abc/sessions');
  expect(bodies.at(-1)).toEqual(expect.objectContaining({ another_person: true }));
});

it('lets the server decide whether a session may start again in a full study', async () => {
  serve({
    'GET /api/session?slug=abc': () => json(200, session('restart')),
    'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'not_open', message: 'Nobody.' } }),
    'GET /api/participate/abc': () => json(200, { ...invitation, state: 'full' }),
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'I have already started' }));
  await agreeAndBegin();
  expect(await screen.findByRole('heading', { name: 'This study has all the participants it needs' })).toBeInTheDocument();
});

it('offers nothing to new people if a study is not open', async () => {
  serve({
    ...nobody,
    'GET /api/participate/abc': () => json(200, { ...invitation, state: 'closed' }),
  });
  show();
  expect(await screen.findByRole('heading', { name: 'This study has ended' })).toBeInTheDocument();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
