import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError, unreachable } from '../../../shared/api/error';
import type { Session } from '../../../shared/api/forms';
import type { Envelope } from '../../../shared/outbox/envelope';
import { Outbox } from '../../../shared/outbox/outbox';
import { memoryStore } from '../../../shared/outbox/store';
import { plainSession, plainTrial, voteBody } from '../../../test/records';
import { soon } from '../../../test/soon';
import { FinishPage } from './FinishPage';

const session = plainSession;
const fetchMock = vi.fn<(request: Request) => Promise<Response>>();
const onMissing = vi.fn();
const onPersonMissing = vi.fn();

const received = { received_at: '2026-01-01T00:00:00Z' };

async function show(send: (envelope: Envelope) => Promise<{ received_at: string }>, of: Session = session) {
  const outbox = await Outbox.open({ store: memoryStore(), sessionId: 's', send });
  await outbox.add({ kind: 'vote', body: voteBody });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <FinishPage session={of} skipped={[2]} outbox={outbox} onMissing={onMissing} onPersonMissing={onPersonMissing} />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

beforeEach(() => {
  fetchMock.mockReset();
  vi.stubGlobal('fetch', fetchMock);
});

describe('the end of a session', () => {
  it('shows the completion code only when the server has every answer', async () => {
    let arrive: (value: { received_at: string }) => void = () => undefined;
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ completion_code: 'K7QX', debriefing: { en: 'It was about speed.' }, back: null })));
    await show(() => new Promise((resolve) => { arrive = resolve; }));
    expect(screen.getByRole('heading')).toHaveTextContent('Sending your last answers');
    expect(screen.getByRole('banner')).toHaveTextContent(/Almost done$/);
    expect(fetchMock).not.toHaveBeenCalled();

    expect(screen.getByText('The answer to 1 video is still on its way.')).toBeInTheDocument();
    arrive(received);
    expect(await screen.findByText('K7QX')).toBeInTheDocument();
    expect(screen.getByRole('banner')).toHaveTextContent(/The end$/);
    expect(screen.getByText('It was about speed.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'withdraw and have your answers erased' })).toHaveAttribute('href', '/withdraw');
    expect(await fetchMock.mock.calls[0]?.[0].text()).toBe('{"session_id":"s","skipped":[2]}');
  });

  it('shows beside the bar why answers are waiting', async () => {
    await show(() => Promise.reject(unreachable()));
    await soon(() => { expect(screen.getByRole('status')).toHaveTextContent('Your answers could not be sent yet. We keep trying; please keep this page open.'); });
  });

  it('shows a recruited person the way back first, and the completion code only as a reference', async () => {
    const back = { recruiter: 'Prolific', end: 'completed', code: 'DONE', url: 'https://app.prolific.com/submissions/complete?cc=DONE' };
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ completion_code: 'K7QX', debriefing: { en: 'It was about speed.' }, back })));
    await show(() => Promise.resolve(received));
    expect(await screen.findByRole('heading', { level: 1, name: 'One more step: return to Prolific to be paid' })).toBeInTheDocument();
    expect(screen.getByText('DONE').tagName).toBe('OUTPUT');
    expect(screen.getByText('K7QX').tagName).toBe('SPAN');
    expect(screen.getByText(/Your code for questions and withdrawal/)).toContainElement(screen.getByRole('link', { name: /withdraw/ }));
    expect(screen.getByText(/1 video was left out/)).toBeInTheDocument();
    expect(screen.queryByText(/You may close this page now/)).not.toBeInTheDocument();
    const order = [screen.getByRole('link', { name: 'Return to Prolific' }), screen.getByText('DONE'), screen.getByText('It was about speed.'), screen.getByText('K7QX')];
    for (const [previous, next] of order.slice(1).map((element, index) => [order[index] as HTMLElement, element] as const)) {
      expect(previous.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    }
  });

  it('shows a recruited person whose window was too small for everything the way back of that end, and no code to be paid', async () => {
    const back = { recruiter: 'MTurk', end: 'incompatible_device', code: null, url: null };
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ completion_code: 'K7QX', debriefing: null, back })));
    const recruiter = { name: 'MTurk', id_parameter: 'workerId', ways_back: { incompatible_device: { code: 'SMALL', url: 'https://panel.example/small' } } };
    await show(() => Promise.resolve(received), { ...session, study: { ...session.study, recruiter } });
    expect(await screen.findByRole('heading', { name: 'All videos were left out' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Return to MTurk' })).toHaveAttribute('href', 'https://panel.example/small');
    expect(screen.getByText('SMALL')).toBeInTheDocument();
    expect(screen.getByText(/Your code for questions and withdrawal, which MTurk does not need/)).toHaveTextContent('K7QX');
    expect(screen.queryByText(/paid|Enter this code/)).not.toBeInTheDocument();
  });

  it('reports another session started in another tab, and keeps the vote', async () => {
    await show(() => Promise.reject(new ApiError('other_session', 'Another.', 409, false)));
    expect(await screen.findByRole('heading', { name: 'Another session was started in this browser' })).toBeInTheDocument();
    expect(screen.getByRole('banner')).not.toHaveTextContent(/The end|Almost done/);
    expect(fetchMock).not.toHaveBeenCalled();
  });

  it('retries when the response was incomplete or foreign', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    fetchMock
      .mockResolvedValueOnce(new Response('<html>Welcome to our hotel</html>'))
      .mockResolvedValueOnce(new Response(JSON.stringify({ completion_code: 'K7QX', debriefing: null, back: null })));
    await show(() => Promise.resolve(received));
    expect(await screen.findByText('K7QX', {}, { timeout: 3000 })).toBeInTheDocument();
  });

  it('reports that another session replaced this one', async () => {
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ error: { code: 'restarted', message: '…' } }), { status: 409 }));
    await show(() => Promise.resolve(received));
    expect(await screen.findByRole('heading', { name: 'Another session was started in this browser' })).toBeInTheDocument();
  });

  it('leads back to trials whose votes are missing on the server', async () => {
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ error: { code: 'votes_missing', message: '…', details: { positions: [1] } } }), { status: 409 }));
    await show(() => Promise.resolve(received));
    await userEvent.click(await screen.findByRole('button', { name: 'Go to the missing videos' }));
    expect(onMissing).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('banner')).toHaveTextContent(/Almost done$/);
    expect(screen.queryByText(/If you do not want to wait/)).not.toBeInTheDocument();
  });

  it('shows recruited people a way back where answers are missing', async () => {
    const recruiter = { name: 'Prolific', id_parameter: 'PID', ways_back: { took_part: { code: 'BEFORE', url: 'https://panel.example/?cc=BEFORE' } } };
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ error: { code: 'votes_missing', message: '…', details: { positions: [1] } } }), { status: 409 }));
    await show(() => Promise.resolve(received), { ...session, study: { ...session.study, recruiter } });
    expect(await screen.findByText('If you do not want to wait for an answer, you can go back to Prolific.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Return to Prolific' })).toHaveClass('button--quiet');
  });

  it('leads back to missing questions about the person', async () => {
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ error: { code: 'person_missing', message: '…', details: { keys: ['age'] } } }), { status: 409 }));
    await show(() => Promise.resolve(received));
    await userEvent.click(await screen.findByRole('button', { name: 'Go to the questions' }));
    expect(onPersonMissing).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('banner')).toHaveTextContent(/Almost done$/);
    expect(screen.queryByText(/age/)).not.toBeInTheDocument();
  });

  it("names the videos whose answers the server refused, in the participant's language and not in the server's words", async () => {
    fetchMock.mockResolvedValue(new Response(JSON.stringify({ error: { code: 'votes_missing', message: '…', details: { positions: [1] } } }), { status: 409 }));
    const trial = { ...plainTrial, position: voteBody.position };
    await show(() => Promise.reject(new ApiError('invalid', 'data.score: 9 is not 1 to 7.', 422, false)), { ...session, trials: [trial] });
    expect(await screen.findByText('The server did not accept the answers to these videos: 1.')).toBeInTheDocument();
    expect(screen.queryByText(/data\.score/)).not.toBeInTheDocument();
  });
});
