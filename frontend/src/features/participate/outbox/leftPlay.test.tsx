import { expect, it } from 'vitest';

import { Outbox } from '../../../shared/outbox/outbox';
import { memoryStore } from '../../../shared/outbox/store';
import { playBody } from '../../../test/records';
import { adoptLeftPlay, sendLeftPlay } from './leftPlay';

const open = (store = memoryStore()) => Outbox.open({ store, sessionId: 's', send: () => new Promise(() => undefined) });
const plays = (outbox: Outbox) => outbox.getState().waiting.filter((envelope) => envelope.kind === 'play').length;

it('takes over a play that the page before could only write down, once', async () => {
  const dying = memoryStore();
  dying.put = () => new Promise(() => undefined);
  void sendLeftPlay(await open(dying), 's', playBody);

  const store = memoryStore();
  const next = await open(store);
  await adoptLeftPlay(next, 's');
  await adoptLeftPlay(await open(), 'other');
  expect(plays(next)).toBe(1);
  await adoptLeftPlay(next, 's');
  expect(plays(next)).toBe(1);
  expect(localStorage).toHaveLength(0);
});

it('does not double a play that the outbox kept, though the page did not live to hear of it', async () => {
  const store = memoryStore();
  const put = store.put.bind(store);
  store.put = async (envelope) => {
    await put(envelope);
    return new Promise(() => undefined);
  };
  void sendLeftPlay(await open(store), 's', playBody);
  const next = await open(store);
  expect(plays(next)).toBe(1);
  await adoptLeftPlay(next, 's');
  expect([plays(next), localStorage.length]).toEqual([1, 0]);
});
