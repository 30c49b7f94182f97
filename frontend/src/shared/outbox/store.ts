import { type DBSchema, openDB } from 'idb';

import type { Envelope } from './envelope';

/** Where envelopes wait. Every promise settles only once the change is kept. */
export interface OutboxStore {
  put(envelope: Envelope): Promise<void>;
  remove(id: string): Promise<void>;
  all(): Promise<Envelope[]>;
  /** False where a reload would lose what waits. */
  readonly durable: boolean;
}

interface Schema extends DBSchema {
  envelopes: { key: string; value: Envelope };
}

export function memoryStore(): OutboxStore {
  const envelopes = new Map<string, Envelope>();
  return {
    durable: false,
    put: (envelope) => Promise.resolve(void envelopes.set(envelope.id, envelope)),
    remove: (id) => Promise.resolve(void envelopes.delete(id)),
    all: () => Promise.resolve([...envelopes.values()]),
  };
}

/** IndexedDB; memory where a browser refuses it (some private windows), so that the study still works. */
export async function openStore(name = 'eyelevel'): Promise<OutboxStore> {
  try {
    const db = await openDB<Schema>(name, 1, {
      upgrade(database) {
        database.createObjectStore('envelopes', { keyPath: 'id' });
      },
    });
    return {
      durable: true,
      put: async (envelope) => {
        const change = db.transaction('envelopes', 'readwrite', { durability: 'strict' });
        await Promise.all([change.store.put(envelope), change.done]);
      },
      remove: (id) => db.delete('envelopes', id),
      all: () => db.getAll('envelopes'),
    };
  } catch {
    return memoryStore();
  }
}
