import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';

export interface Sent {
  call: string;
  body: unknown;
}
/** An answer per `METHOD /path`: a value for 200, or status and value. */
type Answers = Record<string, unknown>;

/** Stands in for the server; what it was sent, without the plain reads. A call that it does not know is 404. */
export function serve(answers: Answers): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${request.url.slice(location.origin.length)}`;
    const text = await request.clone().text();
    if (request.method !== 'GET') sent.push({ call, body: text === '' ? null : JSON.parse(text) });
    const reply = answers[call];
    const [status, value] = Array.isArray(reply) && typeof reply[0] === 'number' ? (reply as [number, unknown]) : [reply === undefined ? 404 : 200, reply];
    return new Response(status === 204 ? null : JSON.stringify(value ?? {}), { status });
  });
  return sent;
}

/** Renders a page. */
export function show(page: ReactNode): void {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>{page}</QueryClientProvider>
    </I18nProvider>,
  );
}
