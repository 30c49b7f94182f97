import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';

import { addCatalog } from '../shared/i18n/language';
import { Wait } from '../shared/ui/page';
import { Mishap } from './Mishap';

const ParticipantPage = lazy(() => import('../features/participate/ParticipantPage'));

// Withdrawing has words of its own: few ever need them, and a study's first page has to come fast.
const WithdrawPage = lazy(async () => {
  const [page] = await Promise.all([
    import('../features/withdraw/WithdrawPage'),
    addCatalog(async (language) => {
      switch (language) {
        case 'en':
          return (await import('../locales/withdraw/en.po')).messages;
        case 'de':
          return (await import('../locales/withdraw/de.po')).messages;
      }
    }),
  ]);
  return page;
});

// Staff pages bring their own words: a participant's browser never loads them.
const StaffPages = lazy(async () => {
  const [pages] = await Promise.all([
    import('./StaffPages'),
    addCatalog(async (language) => {
      switch (language) {
        case 'en':
          return (await import('../locales/staff/en.po')).messages;
        case 'de':
          return (await import('../locales/staff/de.po')).messages;
      }
    }),
  ]);
  return pages;
});

export function App() {
  return (
    <Mishap>
      <Suspense fallback={<Wait />}>
        <Switch>
          <Route path="/s/:slug/preview">{({ slug }) => <ParticipantPage key={slug} slug={slug} preview />}</Route>
          <Route path="/s/:slug">{({ slug }) => <ParticipantPage key={slug} slug={slug} />}</Route>
          <Route path="/withdraw">
            <WithdrawPage />
          </Route>
          <Route>
            <StaffPages />
          </Route>
        </Switch>
      </Suspense>
    </Mishap>
  );
}
