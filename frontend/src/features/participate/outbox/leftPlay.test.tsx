import { expect, it } from 'vitest';

import { Outbox } from '../../../shared/outbox/outbox';
import { memoryStore } from '../../../shared/outbox/store';
import { playBody } from '../../../test/records';
import { adoptLeftPlay, sendLeftPlay } from './leftPlay';

const open = (store = memoryStore()) => Outbox.open({ store, sessionId: 's', send: () => new Promise(() => undefined) });
const plays = (outbox: Outbox) => outbox.getState().waiting.filter((envelope) => envelope.kind === 'play').length;

it('recovers a play that the previous page could only save, once', async () => {
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

it('does not duplicate a play that the outbox stored although the page closed before the confirmation', async () => {
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
