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

// Staff pages load their own catalog, which a participant's browser never loads.
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

/** All pages except a participant's pages in a study, which are a separate document (study.tsx). */
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
