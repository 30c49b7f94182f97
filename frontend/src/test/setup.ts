import '@testing-library/jest-dom/vitest';
import 'fake-indexeddb/auto';
import { i18n } from '@lingui/core';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Without a catalog, Lingui shows the English source text.
i18n.loadAndActivate({ locale: 'en', messages: {} });

// a busy machine may leave a test aside for a second
configure({ asyncUtilTimeout: 10_000 });

// jsdom has no layout to scroll
if (typeof window !== 'undefined') window.scrollTo = () => undefined;

afterEach(() => {
  cleanup();
  // tests of pure parts run without a browser around them
  if (typeof localStorage !== 'undefined') localStorage.clear();
  if (typeof sessionStorage !== 'undefined') sessionStorage.clear();
});
