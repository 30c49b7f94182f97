import { vi } from 'vitest';

/** Waits until the check throws no more; a busy machine may leave a test aside for a second, the usual limit. */
export function soon<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 10_000 });
}
