import '@testing-library/jest-dom/vitest';

import { i18n } from '@lingui/core';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Without a catalog, Lingui shows the English source text.
i18n.loadAndActivate({ locale: 'en', messages: {} });

// a busy machine may pause a test for a second
configure({ asyncUtilTimeout: 10_000 });

// jsdom has no layout to scroll
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
// and no media: a mouse, an upright screen
window.matchMedia = (media) => ({ media, matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList;

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
