import { describe, expect, it } from 'vitest';

import { remember } from '../lib/storage';
import type { Envelope } from './envelope';
import { forgetSession } from './forgetSession';
import { memoryStore } from './store';

const envelope = (id: string, session_id: string) => ({ id, session_id, kind: 'vote', body: {}, created_at_ms: 1, refused: null }) as unknown as Envelope;

describe('a session that was withdrawn', () => {
  it('is removed from this browser, without other sessions', async () => {
    remember('eyelevel.skipped.mine', '1,2');
    remember('eyelevel.skipped.other', '3');
    remember('eyelevel.language', 'de');
    remember('eyelevel.trial.mine', '{}', 'sessionStorage');
    remember('eyelevel.trial.other', '{}', 'sessionStorage');
    const store = memoryStore();
    await store.put(envelope('1', 'mine'));
    await store.put(envelope('2', 'other'));
    await store.settle('3', { id: '3', session_id: 'mine', position: 1, received_at: '', kept_at_ms: 1 });
    await forgetSession('mine', () => Promise.resolve(store));
    expect(Object.keys(localStorage).sort()).toEqual(['eyelevel.language', 'eyelevel.skipped.other']);
    expect(Object.keys(sessionStorage)).toEqual(['eyelevel.trial.other']);
    expect((await store.all()).map(({ id }) => id)).toEqual(['2']);
    expect(await store.receipts()).toEqual([]);
  });
});
