/** Storage of the browser: permanent, or of one tab. */
type Where = 'localStorage' | 'sessionStorage';

/** Stores a value. Never throws: if storage is unavailable, as in some private windows, the value is not stored. */
export function remember(key: string, value: string, where: Where = 'localStorage'): void {
  try {
    window[where].setItem(key, value);
  } catch {
    // ignored: the page works without storage
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
      // ignored: without storage there is nothing to remove
    }
  }
}
