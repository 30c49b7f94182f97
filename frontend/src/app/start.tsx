import '@fontsource/source-serif-4/latin-600.css';
import '../shared/ui/base.css';

import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { isPassing } from '../shared/api/error';
import { activateLanguage, preferredLanguage } from '../shared/i18n/language';
import { backoffMs } from '../shared/lib/backoff';
import { Mishap } from './Mishap';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (failures) => backoffMs(failures + 1, Math.random()),
    },
    mutations: { networkMode: 'always' },
  },
});

/** Renders the pages in place of the content that the server put into the document. */
export async function start(pages: ReactNode): Promise<void> {
  await activateLanguage(preferredLanguage());
  const root = document.getElementById('root');
  if (root === null) throw new Error('the document has no element with the id "root"');
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <Mishap>{pages}</Mishap>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}
