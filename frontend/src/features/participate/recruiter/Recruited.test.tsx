import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { agreeAndBegin, bodiesOf, finish, invitation, json, nobody, panel, sent, requests, serve, session, show, tookPart } from '../../../test/participantPage';
import { rememberRecruit, wasRecruitedAs } from './recruit';

// there is no decoder here
vi.mock('../../../shared/player/video/useDecoding', () => ({ useDecoding: () => 'yes' }));

it('does not let another person start with a link whose recruiter identifies people', async () => {
  window.history.replaceState(null, '', '/p/abc?PID=B');
  serve(tookPart({ recruiter: panel }));
  show();
  await agreeAndBegin();
  expect(await screen.findByRole('heading', { name: 'You have already taken part in this study' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Take part as another person' })).not.toBeInTheDocument();
});

describe('a link that names a person', () => {
  const link = (id: string) => { window.history.replaceState(null, '', `/p/abc?PID=${id}`); };
  const recruited = (state = 'open') => json(200, { ...invitation, state, recruiter: panel });
  const completed = (id: string) => json(200, { ...session('resume'), id, state: 'completed' });
  it('sends all parameters when the session starts', async () => {
    window.history.replaceState(null, '', '/p/abc?PID=A&STUDY_ID=s1&SESSION_ID=x%26y');
    serve({ ...nobody, 'GET /api/participate/abc': () => recruited(), 'POST /api/participate/abc/sessions': () => completed('s2'), ...finish });
    show();
    await agreeAndBegin();
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
    const [begun] = bodiesOf('POST /api/participate/abc/sessions');
    expect(begun).toEqual(expect.objectContaining({ recruit: { id: 'A' }, arrival: { PID: 'A', STUDY_ID: 's1', SESSION_ID: 'x&y' } }));
  });

  it('offers to decline before the start, and a way back to the consent', async () => {
    link('A');
    serve({ ...nobody, 'GET /api/participate/abc': () => recruited() });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'I do not want to take part' }));
    expect(screen.getByRole('heading', { name: 'You are not taking part' })).toBeInTheDocument();
    expect(screen.getByText('Nothing about you has been stored. Thank you for your interest.')).toBeInTheDocument();
    expect(screen.getByText(/no link back to Panel/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Read about the study again' }));
    expect(screen.getByRole('checkbox')).not.toBeChecked();
    expect(requests().filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  it("does not continue another person's session in a shared browser", async () => {
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
    expect(requests()).not.toContain('POST /api/session/finish');
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

  it.each(['', '?PID=', '?from=mail'])('shows before consent that the id is missing in /p/abc%s, with a contact', async (search) => {
    window.history.replaceState(null, '', `/p/abc${search}`);
    serve({ ...nobody, 'GET /api/participate/abc': () => recruited() });
    show();
    expect(await screen.findByRole('heading', { name: 'Part of your link is missing' })).toBeInTheDocument();
    expect(screen.getByText(/If you see this page again and again/)).toHaveTextContent('me@example.org');
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    expect(requests()).not.toContain('POST /api/participate/abc/sessions');
  });

  it('shows a missing id reported by the server to a person who would start again', async () => {
    serve({
      'GET /api/session?slug=abc': () => json(200, session('restart')),
      'POST /api/participate/abc/sessions': () => json(422, { error: { code: 'recruit_missing', message: '…', details: { field: 'recruit' } } }),
      'GET /api/participate/abc': () => recruited(),
    });
    show();
    await agreeAndBegin();
    expect(await screen.findByRole('heading', { name: 'Part of your link is missing' })).toBeInTheDocument();
  });

  it('requires no id for a preview', async () => {
    serve({ 'GET /api/session?slug=abc&preview=true': () => json(401, { error: { code: 'no_session', message: 'None.' } }), 'GET /api/participate/abc': () => recruited() });
    show(true);
    expect(await screen.findByRole('button', { name: 'Begin' })).toBeInTheDocument();
  });

  it("starts in a browser without storage, and ignores another person's blocked session", async () => {
    const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => { throw new Error('private'); });
    link('B');
    serve({
      'GET /api/session?slug=abc': () => json(200, session('block')),
      'POST /api/participate/abc/sessions': () => completed('s2'),
      'GET /api/participate/abc': () => recruited(),
      ...finish,
    });
    show();
    await agreeAndBegin();
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
    refused.mockRestore();
  });

  it('lets people continue in another browser although the study is closed to new people', async () => {
    link('B');
    serve({
      ...nobody,
      'POST /api/participate/abc/sessions': () => completed('s2'),
      'GET /api/participate/abc': () => recruited('closed'),
      ...finish,
    });
    show();
    expect(await screen.findByRole('heading', { name: 'This study has ended' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'I have already started' }));
    await agreeAndBegin();
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
  });
});
