import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

import { within } from '../lib/within';
import type { Envelope, Receipt } from './envelope';

/** Storage of unsent entries and of the server's receipts. Every promise settles only once the change is stored. */
export interface OutboxStore {
  /**
   * Stores an envelope, and removes `replaced` if given. Returns false and changes nothing if another envelope already has
   * this session's vote on the trial.
   */
  put(envelope: Envelope, replaced?: string): Promise<boolean>;
  /** Removes the envelope and stores the receipt in one transaction. */
  settle(id: string, receipt: Receipt | null): Promise<void>;
  /** Removes all envelopes and receipts of the session. */
  forget(sessionId: string): Promise<void>;
  all(): Promise<Envelope[]>;
  receipts(): Promise<Receipt[]>;
  /** False if a reload would lose waiting envelopes. */
  readonly durable: boolean;
}

interface Schema extends DBSchema {
  envelopes: { key: string; value: Envelope };
  receipts: { key: string; value: Receipt };
}

const OPEN_MS = 5000;
const KEPT_MS = 90 * 24 * 3600 * 1000;

/** Whether another tab stored a vote on the same trial. A refused vote may be answered again. */
function isTaken(envelope: Envelope, others: readonly Envelope[]): boolean {
  return (
    envelope.kind === 'vote' &&
    others.some(
      (other) =>
        other.kind === 'vote' && other.id !== envelope.id && other.refused === null && other.session_id === envelope.session_id && other.body.position === envelope.body.position,
    )
  );
}

export function memoryStore(): OutboxStore {
  const envelopes = new Map<string, Envelope>();
  const receipts = new Map<string, Receipt>();
  return {
    durable: false,
    put: (envelope, replaced) => {
      const free = !isTaken(envelope, [...envelopes.values()]);
      if (free) envelopes.set(envelope.id, envelope);
      if (free && replaced !== undefined) envelopes.delete(replaced);
      return Promise.resolve(free);
    },
    settle: (id, receipt) => {
      envelopes.delete(id);
      if (receipt !== null) receipts.set(id, receipt);
      return Promise.resolve();
    },
    forget: (sessionId) => {
      for (const items of [envelopes, receipts]) for (const [id, item] of items) if (item.session_id === sessionId) items.delete(id);
      return Promise.resolve();
    },
    all: () => Promise.resolve([...envelopes.values()]),
    receipts: () => Promise.resolve([...receipts.values()]),
  };
}

function openDatabase(name: string): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(name, 1, {
    upgrade(database) {
      database.createObjectStore('envelopes', { keyPath: 'id' });
      database.createObjectStore('receipts', { keyPath: 'id' });
    },
    // a newer page in another tab waits for this connection; it is reopened when needed
    blocking(_current, _wanted, event) {
      (event.target as IDBDatabase).close();
    },
  });
}

/** Opens the IndexedDB store, or a store in memory if the browser refuses it, as in some private windows. */
export async function openStore(name = 'eyelevel'): Promise<OutboxStore> {
  let database: IDBPDatabase<Schema>;
  try {
    database = await within(openDatabase(name), OPEN_MS);
  } catch {
    return memoryStore();
  }
  /** Runs `work`, and reopens the database once if it fails, because some browsers close the database of a suspended page. */
  async function using<T>(work: (open: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    try {
      return await work(database);
    } catch {
      database = await within(openDatabase(name), OPEN_MS);
      return work(database);
    }
  }
  const store: OutboxStore = {
    durable: true,
    put: (envelope, replaced) =>
      using(async (open) => {
        const change = open.transaction('envelopes', 'readwrite', { durability: 'strict' });
        const free = !isTaken(envelope, await change.store.getAll());
        if (free) await change.store.put(envelope);
        if (free && replaced !== undefined) await change.store.delete(replaced);
        await change.done;
        return free;
      }),
    settle: (id, receipt) =>
      using(async (open) => {
        const change = open.transaction(['envelopes', 'receipts'], 'readwrite', { durability: 'strict' });
        await change.objectStore('envelopes').delete(id);
        if (receipt !== null) await change.objectStore('receipts').put(receipt);
        await change.done;
      }),
    forget: (sessionId) =>
      using(async (open) => {
        const change = open.transaction(['envelopes', 'receipts'], 'readwrite', { durability: 'strict' });
        for (const name of ['envelopes', 'receipts'] as const) {
          const items = change.objectStore(name);
          for (const item of await items.getAll()) if (item.session_id === sessionId) await items.delete(item.id);
        }
        await change.done;
      }),
    all: () => using((open) => open.getAll('envelopes')),
    receipts: () => using((open) => open.getAll('receipts')),
  };
  void forgetOld(database).catch(() => undefined);
  return store;
}

/** Deletes receipts older than KEPT_MS. */
async function forgetOld(database: IDBPDatabase<Schema>): Promise<void> {
  for (const receipt of await database.getAll('receipts')) {
    if (Date.now() - receipt.kept_at_ms > KEPT_MS) await database.delete('receipts', receipt.id);
  }
}
