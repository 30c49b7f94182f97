import type { Clip } from '../api/forms';
import { backoffMs } from '../lib/backoff';
import { ClipError, type ClipFault, fetchClip } from './fetchClip';

export type ClipState =
  | { phase: 'loading'; received_bytes: number; fault: ClipFault | null; attempt: number }
  | { phase: 'ready'; objectUrl: string }
  | { phase: 'failed'; fault: Extract<ClipFault, 'gone' | 'damaged'> };

interface Entry {
  state: ClipState;
  abort: AbortController;
  wake: (() => void) | null;
}

const atMost = 2;
const damagedAtMost = 3;
const start: ClipState = { phase: 'loading', received_bytes: 0, fault: null, attempt: 0 };

/** Stores at most two clips: the one on the page and the next. They are fetched in that order, so that the next does not slow down the first. */
export class ClipStore {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private wanted: readonly Clip[] = [];

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  state(url: string): ClipState {
    return this.entries.get(url)?.state ?? start;
  }

  /** Sets the wanted clips; all others are dropped and their memory is freed. */
  want(clips: readonly Clip[]): void {
    this.wanted = clips.slice(0, atMost);
    for (const [url, entry] of this.entries) {
      if (!this.isWanted(url)) this.drop(url, entry);
    }
    void this.loadInOrder(this.wanted);
  }

  /** Retries a waiting or failed clip immediately. */
  retry(clip: Clip): void {
    const entry = this.entries.get(clip.url);
    if (entry?.state.phase === 'failed') {
      this.drop(clip.url, entry);
      void this.load(clip);
    } else entry?.wake?.();
  }

  private isWanted(url: string): boolean {
    return this.wanted.some((clip) => clip.url === url);
  }

  private async loadInOrder(clips: readonly Clip[]): Promise<void> {
    for (const clip of clips) {
      // the wanted clips may have changed while an earlier clip was loading
      if (!this.isWanted(clip.url)) return;
      if (!this.entries.has(clip.url)) await this.load(clip);
      else if (this.state(clip.url).phase === 'loading') await this.settled(clip.url);
    }
  }

  private settled(url: string): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (this.entries.has(url) && this.state(url).phase === 'loading') return;
        stop();
        resolve();
      });
    });
  }

  private async load(clip: Clip): Promise<void> {
    const entry: Entry = { state: start, abort: new AbortController(), wake: null };
    this.entries.set(clip.url, entry);
    const { signal } = entry.abort;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const blob = await fetchClip(clip, {
          signal,
          onProgress: (received_bytes) => { this.change(entry, { phase: 'loading', received_bytes, fault: null, attempt }); },
        });
        if (!aborted(signal)) this.change(entry, { phase: 'ready', objectUrl: URL.createObjectURL(blob) });
        return;
      } catch (error) {
        if (aborted(signal)) return;
        const fault = error instanceof ClipError ? error.fault : 'unreachable';
        if (fault === 'gone' || (fault === 'damaged' && attempt >= damagedAtMost)) {
          this.change(entry, { phase: 'failed', fault });
          return;
        }
        this.change(entry, { phase: 'loading', received_bytes: 0, fault, attempt });
        await this.pause(entry, backoffMs(attempt, Math.random()));
      }
    }
  }

  private pause(entry: Entry, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        removeEventListener('online', done);
        entry.wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      entry.wake = done;
      addEventListener('online', done);
    });
  }

  private change(entry: Entry, state: ClipState): void {
    entry.state = state;
    for (const listener of this.listeners) listener();
  }

  private drop(url: string, entry: Entry): void {
    entry.abort.abort();
    if (entry.state.phase === 'ready') URL.revokeObjectURL(entry.state.objectUrl);
    this.entries.delete(url);
    entry.wake?.();
    for (const listener of this.listeners) listener();
  }
}

// a function, because the compiler treats `signal.aborted` as constant between two awaits
function aborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
