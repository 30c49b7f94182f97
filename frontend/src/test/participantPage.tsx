import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, vi } from 'vitest';

import ParticipantPage from '../features/participate/ParticipantPage';
import { plainSession, studyText } from './records';

/** The page behind the link of a study, and a stand-in for its server; for tests of the whole way. */

export const study = { ...studyText, title: { en: 'Speed' }, consent: { version: '1', text: { en: 'Read this.' } }, instructions: { en: '' } };
export const invitation = { ...study, state: 'open' };
export const panel = { name: 'Panel', id_parameter: 'PID', ways_back: {} };
export const session = (comeback: string) => ({ ...plainSession, id: 's1', study, answered: [1], comeback });

const fetchMock = vi.fn<(request: Request) => Promise<Response>>();
const callOf = ({ method, url }: Request) => `${method} ${url.slice(location.origin.length)}`;
/** Every call with its body, oldest first. */
export const sent: { call: string; text: string }[] = [];
export const bodiesOf = (wanted: string) => sent.filter(({ call }) => call === wanted).map(({ text }) => JSON.parse(text) as object);
export const requests = () => fetchMock.mock.calls.map(([request]) => callOf(request));

export const json = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }));

/** This browser has no session by the link. */
export const nobody = { 'GET /api/session?slug=abc': () => Promise.resolve(new Response(null, { status: 204 })) };
export const finish = { 'POST /api/session/finish': () => json(200, { completion_code: 'K7QX', debriefing: null, back: null }) };
/** Whoever begins is known to have taken part; `more` of the invitation. */
export const tookPart = (more: object) => ({
  ...nobody,
  'POST /api/participate/abc/sessions': () => json(409, { error: { code: 'already_took_part', message: 'Once only.' } }),
  'GET /api/participate/abc': () => json(200, { ...invitation, ...more }),
});

/** Answers by method and path; what is not named is 404. */
export function serve(answers: Record<string, () => Promise<Response>>): void {
  fetchMock.mockImplementation((request) => {
    const call = callOf(request);
    const match = Object.entries(answers).find(([start]) => call.startsWith(start));
    return match === undefined ? json(404, { error: { code: 'not_found', message: call } }) : match[1]();
  });
}

export function show(preview = false): void {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })}>
        <ParticipantPage slug="abc" preview={preview} />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

export async function agreeAndBegin(): Promise<void> {
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Begin' }));
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
