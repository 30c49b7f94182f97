import { useEffect, useSyncExternalStore } from 'react';

import { backoffMs } from '../../lib/backoff';
import type * as createPlayer from './createPlayer';

export type Code = typeof createPlayer;

/** The loaded code, or null, and the number of failed attempts. */
export interface CodeState {
  code: Code | null;
  failures: number;
}

/** Loads the player's code in advance, with retries. It is most of the page's script code. */
export class PlayerCode {
  private state: CodeState = { code: null, failures: 0 };
  private asked = false;
  private wake: (() => void) | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly load: () => Promise<Code>,
    private readonly loadFrom: (address: string) => Promise<Code>,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getState = (): CodeState => this.state;

  /** Retries until the code is loaded; a second call has no effect. */
  async fetch(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    let address: string | null = null;
    for (let failures = 1; this.state.code === null; failures += 1) {
      try {
        this.change({ ...this.state, code: await (address === null ? this.load() : this.loadFrom(address)) });
      } catch (error) {
        this.change({ code: null, failures });
        address = again(error, failures) ?? address;
        await this.pause(backoffMs(failures, Math.random()));
      }
    }
  }

  /** Retries immediately, regardless of the back-off. */
  retry(): void {
    this.wake?.();
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        removeEventListener('online', done);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.wake = done;
      addEventListener('online', done);
    });
  }

  private change(state: CodeState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/**
 * Returns another URL for the script that failed, because most browsers cache a failure by URL until the page is reloaded
 * (whatwg/html 6768). The URL is taken from the error message; null if the message does not contain it.
 */
function again(error: unknown, failures: number): string | null {
  const named = error instanceof Error ? /https?:\/\/[^\s?]+\.js/.exec(error.message)?.[0] : undefined;
  return named === undefined ? null : `${named}?again=${String(failures)}`;
}

export const playerCode = new PlayerCode(
  () => import('./createPlayer'),
  (address) => import(/* @vite-ignore */ address) as Promise<Code>,
);

/** Returns the state of the player's code, and starts loading it. */
export function usePlayerCode(): CodeState {
  useEffect(() => { void playerCode.fetch(); }, []);
  return useSyncExternalStore(playerCode.subscribe, playerCode.getState);
}
