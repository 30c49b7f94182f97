import { backoffMs } from '../lib/backoff';
import { newUuid } from '../lib/uuid';
import type { Deed, Envelope } from './envelope';
import type { OutboxStore } from './store';
import { type Loss, type Verdict, verdictOn } from './verdict';

export interface OutboxState {
  /** Envelopes of this session that the server does not hold yet, oldest first; refused ones are not among them. */
  waiting: readonly Envelope[];
  refused: readonly Envelope[];
  /** The last call failed for a passing reason. */
  troubled: boolean;
  /** Why nothing more can be sent; null while it can. */
  lost: Loss | null;
}

interface Parts {
  store: OutboxStore;
  sessionId: string;
  send: (envelope: Envelope) => Promise<unknown>;
  random?: () => number;
}

/**
 * Keeps what a participant did until the server has it: kept first, sent after, one at a time, oldest first,
 * under an id that makes a repeat harmless. Only this session's envelopes are sent, as the cookie says whose they are.
 */
export class Outbox {
  private state: OutboxState = { waiting: [], refused: [], troubled: false, lost: null };
  private readonly listeners = new Set<() => void>();
  private running = false;
  private stopped = false;
  private wake: (() => void) | null = null;
  private lastCreatedAtMs = 0;

  private constructor(private readonly parts: Parts) {}

  static async open(parts: Parts): Promise<Outbox> {
    const outbox = new Outbox(parts);
    const mine = (await parts.store.all())
      .filter((envelope) => envelope.session_id === parts.sessionId)
      .sort((a, b) => a.created_at_ms - b.created_at_ms);
    outbox.state = {
      waiting: mine.filter((envelope) => envelope.refused === null),
      refused: mine.filter((envelope) => envelope.refused !== null),
      troubled: false,
      lost: null,
    };
    outbox.start();
    return outbox;
  }

  readonly getState = (): OutboxState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The clock, but never twice the same: the order of deeds hangs on it. */
  private now(): number {
    this.lastCreatedAtMs = Math.max(Date.now(), this.lastCreatedAtMs + 1);
    return this.lastCreatedAtMs;
  }

  /** Resolves once the deed is kept on this device; sending goes on behind it. */
  async add(deed: Deed): Promise<void> {
    const envelope: Envelope = { ...deed, id: newUuid(), session_id: this.parts.sessionId, created_at_ms: this.now(), refused: null };
    try {
      await this.parts.store.put(envelope);
    } catch (error) {
      // a full disk must not cost the answer: it still goes out from memory
      console.error('the answer could not be kept on this device', error);
    }
    this.change({ waiting: [...this.state.waiting, envelope] });
    this.start();
  }

  /** Try now, whatever the back-off (the browser came online, or a person asks). */
  readonly flush = (): void => {
    this.wake?.();
    this.start();
  };

  stop(): void {
    this.stopped = true;
    this.wake?.();
  }

  private change(change: Partial<OutboxState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  private start(): void {
    if (this.running || this.stopped) return;
    this.running = true;
    void this.run().finally(() => {
      this.running = false;
    });
  }

  private async run(): Promise<void> {
    let failures = 0;
    for (;;) {
      const next = this.state.waiting[0];
      if (next === undefined || this.stopped) return;
      const outcome = await this.deliver(next);
      if (outcome.act === 'stop') {
        this.change({ lost: outcome.loss });
        return;
      }
      if (outcome.act === 'again') {
        failures += 1;
        this.change({ troubled: true });
        await this.pause(backoffMs(failures, (this.parts.random ?? Math.random)()));
      } else {
        failures = 0;
        if (this.state.troubled) this.change({ troubled: false });
      }
    }
  }

  private async deliver(envelope: Envelope): Promise<Verdict> {
    try {
      await this.parts.send(envelope);
      await this.settle(envelope, null);
      return { act: 'done' };
    } catch (error) {
      const verdict = verdictOn(error);
      switch (verdict.act) {
        case 'done':
          await this.settle(envelope, null);
          break;
        case 'refused':
          await this.settle(envelope, verdict.reason);
          break;
        case 'again':
        case 'stop':
          break;
      }
      return verdict;
    }
  }

  private async settle(envelope: Envelope, refused: string | null): Promise<void> {
    if (refused === null) await this.parts.store.remove(envelope.id);
    else await this.parts.store.put({ ...envelope, refused });
    this.change({
      waiting: this.state.waiting.filter((other) => other.id !== envelope.id),
      refused: refused === null ? this.state.refused : [...this.state.refused, { ...envelope, refused }],
    });
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
