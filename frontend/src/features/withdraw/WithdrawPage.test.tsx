import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import * as forget from '../../shared/outbox/forgetSession';
import WithdrawPage from './WithdrawPage';

const promises = {
  session_id: 'mine',
  promises: [
    {
      title: { en: 'How fast?' },
      languages: ['en'],
      consent_version: '2019-07',
      consent: { en: 'Everything is erased when you ask.' },
      retention: { en: 'Six months.' },
      contact: 'study@example.org',
      votes: 7,
    },
  ],
};
const withdrawn = {
  erased_at: '2026-01-03T00:00:00Z',
  sessions: 1,
  votes: 7,
  plays: 9,
  answers_about_person: 1,
  recruiter_ids: 0,
  snapshots: 1,
  exports: [{ exported_at: '2026-01-02T00:00:00Z' }],
};
const noSession = { error: { code: 'no_session', message: 'None.', retry: false } };
const unknown = { error: { code: 'unknown_code', message: 'None.', retry: false } };

const calls: string[] = [];
let answers: Record<string, [number, unknown]> = {};

function show() {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <WithdrawPage />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

beforeEach(() => {
  calls.length = 0;
  answers = { 'GET /api/withdrawals/own': [200, promises], 'POST /api/withdrawals/lookup': [200, promises], 'POST /api/withdrawals': [200, withdrawn] };
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${request.url.slice(location.origin.length)}`;
    const text = await request.clone().text();
    calls.push(text === '' ? call : `${call} ${text}`);
    const [status, body] = answers[call] ?? [500, {}];
    return new Response(JSON.stringify(body), { status });
  });
});

describe('withdrawing', () => {
  it('shows the consent, and erases only after confirmation', async () => {
    show();
    expect(await screen.findByText('Everything is erased when you ask.')).toBeInTheDocument();
    expect(screen.getByText('Six months.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getByText(/^Your answers to 7 videos will be erased/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Keep my answers' }));
    expect(calls).toEqual(['GET /api/withdrawals/own']);

    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await userEvent.click(screen.getByRole('button', { name: 'Erase permanently' }));
    expect(await screen.findByRole('heading', { name: 'Your answers are erased' })).toBeInTheDocument();
    expect(calls.slice(1)).toEqual(['POST /api/withdrawals {"session_id":"mine"}']);
    expect(screen.getByText(/Researchers have downloaded copies of your answers/)).toBeInTheDocument();
  });

  it('asks for the code if the browser has no session, and reports an unknown code', async () => {
    answers['GET /api/withdrawals/own'] = [401, noSession];
    answers['POST /api/withdrawals/lookup'] = [404, unknown];
    show();
    await userEvent.type(await screen.findByLabelText('Completion code'), 'ABC');
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('There is no session with this code. Please check what you entered.')).toBeInTheDocument();
    const field = screen.getByLabelText('Completion code');
    expect(field).toHaveFocus();
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription('There is no session with this code. Please check what you entered.');

    answers['POST /api/withdrawals/lookup'] = [200, promises];
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await userEvent.click(screen.getByRole('button', { name: 'Erase permanently' }));
    await screen.findByRole('heading', { name: 'Your answers are erased' });
    expect(calls.at(-1)).toBe('POST /api/withdrawals {"completion_code":"ABC"}');
  });

  it('erases by code without showing session id or number of answers', async () => {
    answers['GET /api/withdrawals/own'] = [401, noSession];
    answers['POST /api/withdrawals/lookup'] = [200, { session_id: null, promises: promises.promises.map((promise) => ({ ...promise, votes: null })) }];
    const forgotten = vi.spyOn(forget, 'forgetSession');
    show();
    await userEvent.type(await screen.findByLabelText('Completion code'), 'ABC');
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    expect(screen.getByText(/^All your answers in this study will be erased/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Erase permanently' }));
    expect(await screen.findByRole('heading', { name: 'Your answers are erased' })).toBeInTheDocument();
    expect(forgotten).not.toHaveBeenCalled();
  });

  it('lets another person on the same device use their code', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Use another completion code' }));
    expect(screen.getByLabelText('Completion code')).toBeInTheDocument();
  });

  it('reports that nothing was erased after a server error', async () => {
    answers['POST /api/withdrawals'] = [503, { error: { code: 'ledger', message: '…', retry: true } }];
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await userEvent.click(screen.getByRole('button', { name: 'Erase permanently' }));
    expect(await screen.findByText(/Nothing was erased/)).toBeInTheDocument();
  });

  it.each([
    ['a lost answer', [502, 'Bad Gateway'], /we do not know whether/],
    ['a session that is gone', [401, noSession], /nothing left to erase/],
  ] as const)('does not claim that nothing was erased after %s', async (_, [status, body], words) => {
    answers['POST /api/withdrawals'] = [status, body];
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await userEvent.click(screen.getByRole('button', { name: 'Erase permanently' }));
    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.queryByText(/Nothing was erased/)).not.toBeInTheDocument();
  });
});
