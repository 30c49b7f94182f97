import { useEffect, useSyncExternalStore } from 'react';

import { backoffMs } from '../../lib/backoff';
import type * as createPlayer from './createPlayer';

export type Code = typeof createPlayer;

/** `failures` so far; null until the code is there. */
export interface CodeState {
  code: Code | null;
  failures: number;
}

/** The player's code, fetched ahead: most of the page's scripts, and a film without it is no film that cannot be shown. */
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

  /** Tries until it is there; a second call changes nothing. */
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

  /** Try at once, whatever the pause. */
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
 * Another address of the script that failed: most browsers remember a failure by its address until the page is loaded again
 * (whatwg/html 6768), and only the error's sentence names it. Null where it does not.
 */
function again(error: unknown, failures: number): string | null {
  const named = error instanceof Error ? /https?:\/\/[^\s?]+\.js/.exec(error.message)?.[0] : undefined;
  return named === undefined ? null : `${named}?again=${String(failures)}`;
}

export const playerCode = new PlayerCode(
  () => import('./createPlayer'),
  (address) => import(/* @vite-ignore */ address) as Promise<Code>,
);

/** The player's code, asked for where it has not been before. */
export function usePlayerCode(): CodeState {
  useEffect(() => { void playerCode.fetch(); }, []);
  return useSyncExternalStore(playerCode.subscribe, playerCode.getState);
}
