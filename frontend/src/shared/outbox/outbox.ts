import { ApiError } from '../api/error';
import type { PlayBody } from '../api/participant';
import { backoffMs } from '../lib/backoff';
import { newUuid } from '../lib/uuid';
import { within } from '../lib/within';
import { type Envelope, type OutboxEntry, type PlayEnvelope, splitPlay, withPlay } from './envelope';
import type { OutboxStore } from './store';
import { type Loss, type Verdict, verdictOn } from './verdict';

export interface OutboxState {
  /** Envelopes of this session that the server does not have yet, oldest first, without refused ones. */
  waiting: readonly Envelope[];
  refused: readonly Envelope[];
  /** The last call failed with a transient error. */
  troubled: boolean;
  /** Waiting envelopes are only in memory, so that a reload would lose them. */
  fleeting: boolean;
  /** Number of votes of this page that were too late, because another tab or browser had answered the trial. */
  overtaken: number;
  /** The reason why nothing more can be sent; null otherwise. */
  lost: Loss | null;
}

interface Parts {
  store: OutboxStore;
  sessionId: string;
  /** Resolves when the server has this envelope, with its receipt if there is one. */
  send: (envelope: Envelope) => Promise<{ received_at: string } | undefined>;
  random?: () => number;
}

// limit for storing an answer on the device; after that, it is sent from memory
const KEEP_MS = 3000;
// longer than most people take to answer; after that, a play is sent without its vote
const HOLD_MS = 30_000;

/**
 * Stores what a participant did until the server confirms it. Entries are stored first, then sent one at a time,
 * oldest first, each under an idempotency key. Only entries of this session are sent.
 */
export class Outbox {
  private state: OutboxState = { waiting: [], refused: [], troubled: false, fleeting: false, overtaken: 0, lost: null };
  private readonly listeners = new Set<() => void>();
  /** Number of failed server responses by envelope; envelopes with fewer failures are sent first. */
  private readonly stumbles = new Map<string, number>();
  private readonly settled = new Set<string>();
  private running = false;
  private stopped = false;
  private wake: (() => void) | null = null;
  private lastCreatedAtMs = 0;
  /** The last play, which is held until the vote on its trial. */
  private held: { play: PlayEnvelope; timer: ReturnType<typeof setTimeout> } | null = null;

  private constructor(private readonly parts: Parts) {}

  static async open(parts: Parts): Promise<Outbox> {
    const outbox = new Outbox(parts);
    await outbox.refresh();
    return outbox;
  }

  readonly getState = (): OutboxState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The current time in ms, strictly increasing, because the order of entries depends on it. */
  private now(): number {
    this.lastCreatedAtMs = Math.max(Date.now(), this.lastCreatedAtMs + 1);
    return this.lastCreatedAtMs;
  }

  /** Resolves once the entry is stored on this device; it is sent in the background. A vote is sent together with its held play. */
  async add(entry: OutboxEntry): Promise<void> {
    const held = entry.kind === 'vote' && this.held?.play.body.position === entry.body.position ? this.held : null;
    clearTimeout(held?.timer);
    const play = held?.play;
    await this.keep(this.envelopeOf(entry.kind === 'vote' && play !== undefined ? withPlay(entry, play) : entry), play);
  }

  /**
   * Stores a play like `add`, but sends it with the vote on its trial. It is sent alone after HOLD_MS, before another
   * play, when the page is hidden, and by another page.
   */
  async hold(body: PlayBody): Promise<void> {
    this.release();
    const play = { ...this.envelopeOf({ kind: 'play', body }), kind: 'play' as const, body };
    this.held = { play, timer: setTimeout(this.release, HOLD_MS) };
    await this.keep(play);
  }

  private readonly release = (): void => {
    if (this.held === null) return;
    clearTimeout(this.held.timer);
    this.held = null;
    this.start();
  };

  private envelopeOf(entry: OutboxEntry): Envelope {
    return { ...entry, id: newUuid(), session_id: this.parts.sessionId, created_at_ms: this.now(), refused: null };
  }

  private async keep(envelope: Envelope, taken?: PlayEnvelope): Promise<void> {
    try {
      // another tab may have answered the same trial; then its answer counts
      if (!(await within(this.parts.store.put(envelope, taken?.id), KEEP_MS))) {
        this.change({ overtaken: this.state.overtaken + 1 });
        await this.refresh();
        return;
      }
    } catch (error) {
      // if the answer cannot be stored, as on a full disk, it is still sent from memory
      console.error('the answer could not be kept on this device', error);
      this.change({ fleeting: true });
    }
    if (taken !== undefined) {
      this.settled.add(taken.id);
      if (this.held?.play.id === taken.id) this.held = null;
    }
    const waiting = this.state.waiting.filter(({ id }) => id !== taken?.id);
    // a play that was stored slowly may already have been sent with its vote
    if (!this.settled.has(envelope.id)) waiting.push(envelope);
    this.change({ waiting, fleeting: this.state.fleeting || !this.parts.store.durable });
    this.start();
  }

  /** Reads the entries on this device again, because another tab or an earlier page may have left some. */
  readonly refresh = async (): Promise<void> => {
    try {
      const stored = (await within(this.parts.store.all(), KEEP_MS)).filter((envelope) => envelope.session_id === this.parts.sessionId);
      const known = new Set([...this.state.waiting, ...this.state.refused].map((envelope) => envelope.id));
      for (const id of this.settled) known.add(id);
      const added = stored.filter((envelope) => !known.has(envelope.id)).sort((a, b) => a.created_at_ms - b.created_at_ms);
      this.change({
        waiting: [...this.state.waiting, ...added.filter((envelope) => envelope.refused === null)],
        refused: [...this.state.refused, ...added.filter((envelope) => envelope.refused !== null)],
      });
    } catch (error) {
      console.error('what this device keeps could not be read', error);
    }
    this.flush();
  };

  /** Sends immediately, regardless of the back-off: the browser came online, or the person asks for it. */
  readonly flush = (): void => {
    this.release();
    this.wake?.();
    this.start();
  };

  stop(): void {
    clearTimeout(this.held?.timer);
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
    void this.run();
  }

  /** The oldest entry that is not held; entries that the server failed to process come last. */
  private next(): Envelope | undefined {
    const stumblesOf = (envelope: Envelope) => this.stumbles.get(envelope.id) ?? 0;
    const free = this.state.waiting.filter(({ id }) => id !== this.held?.play.id);
    return free.sort((a, b) => stumblesOf(a) - stumblesOf(b))[0];
  }

  private async run(): Promise<void> {
    let failures = 0;
    for (;;) {
      const next = this.next();
      if (next === undefined || this.stopped) {
        // set before any await, so that the next added entry starts the loop again
        this.running = false;
        return;
      }
      const outcome = await this.deliver(next);
      if (outcome.act === 'stop') {
        this.running = false;
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
      const receipt = await this.parts.send(envelope);
      await this.settle(envelope, null, receipt?.received_at ?? null);
      return { act: 'done' };
    } catch (error) {
      const verdict = verdictOn(error);
      switch (verdict.act) {
        case 'done':
          this.change({ overtaken: this.state.overtaken + 1 });
          await this.settle(envelope, null, null);
          break;
        case 'refused':
          // the fault may be in the play, and must not lose the vote
          if (await this.part(envelope)) return { act: 'done' };
          await this.settle(envelope, verdict.reason, null);
          break;
        case 'again':
          if (error instanceof ApiError && error.status > 0 && !(await this.part(envelope))) {
            this.stumbles.set(envelope.id, (this.stumbles.get(envelope.id) ?? 0) + 1);
          }
          break;
        case 'stop':
          break;
      }
      return verdict;
    }
  }

  /** Splits a vote from its play, so that each is sent and accepted separately; false if there is no play. */
  private async part(envelope: Envelope): Promise<boolean> {
    const parts = splitPlay(envelope);
    if (parts === null) return false;
    const [vote, play] = parts;
    try {
      // in this order, a crash in between leaves the play twice, which is harmless
      await within(this.parts.store.put(play), KEEP_MS);
      await within(this.parts.store.put(vote), KEEP_MS);
    } catch (error) {
      console.error('this device could not note that a vote is sent without its play', error);
    }
    this.settled.delete(play.id);
    this.change({ waiting: this.state.waiting.flatMap((other) => (other.id === envelope.id ? parts : [other])) });
    return true;
  }

  private async settle(envelope: Envelope, refused: string | null, receivedAt: string | null): Promise<void> {
    const { id, session_id, kind, body } = envelope;
    this.settled.add(id);
    try {
      if (refused !== null) {
        await within(this.parts.store.put({ ...envelope, refused }), KEEP_MS);
      } else {
        const receipt = kind === 'vote' && receivedAt !== null ? { id, session_id, position: body.position, received_at: receivedAt, kept_at_ms: Date.now() } : null;
        await within(this.parts.store.settle(id, receipt), KEEP_MS);
      }
    } catch (error) {
      // the server has the entry, and sending it again from a later page is harmless
      console.error('this device could not note what the server said', error);
    }
    this.change({
      waiting: this.state.waiting.filter((other) => other.id !== id),
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
