import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';

import { addCatalog } from '../shared/i18n/language';
import { Wait } from '../shared/ui/page';

// The withdrawal page loads its own catalog, because few participants need it.
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

/** All pages but a participant's way through a study, which is a document of its own (study.tsx). */
export function App() {
  return (
    <Suspense fallback={<Wait />}>
      <Switch>
        <Route path="/withdraw">
          <WithdrawPage />
        </Route>
        <Route>
          <StaffPages />
        </Route>
      </Switch>
    </Suspense>
  );
}
