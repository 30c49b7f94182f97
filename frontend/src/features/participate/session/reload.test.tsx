import { expect, it, vi } from 'vitest';

import { isReload, noteSign } from './reload';

const loaded = (type: string) => vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);

it('is a reload only shortly after the page was left', () => {
  const now = Date.now();
  loaded('reload');
  expect(isReload('s', now)).toBe(false);
  noteSign('s');
  expect(isReload('s', now)).toBe(true);
  expect(isReload('another', now)).toBe(false);
  expect(isReload('s', now + 61_000)).toBe(false);
  loaded('navigate');
  expect(isReload('s', now)).toBe(false);
});
