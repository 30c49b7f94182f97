/** The browser's memory: for good, or of one tab while it lives. */
type Where = 'localStorage' | 'sessionStorage';

/** Never throws: private windows may refuse it, and then a value simply isn't remembered. */
export function remember(key: string, value: string, where: Where = 'localStorage'): void {
  try {
    window[where].setItem(key, value);
  } catch {
    // nothing to do: the page works without
  }
}

export function recall(key: string, where: Where = 'localStorage'): string | null {
  try {
    return window[where].getItem(key);
  } catch {
    return null;
  }
}

export function forgetKeys(isGone: (key: string) => boolean): void {
  for (const where of ['localStorage', 'sessionStorage'] as const) {
    try {
      const storage = window[where];
      for (const key of Object.keys(storage)) if (isGone(key)) storage.removeItem(key);
    } catch {
      // what cannot be read was not kept
    }
  }
}
