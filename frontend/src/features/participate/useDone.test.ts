import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';

import type { Session } from '../../shared/api/session';
import type { Envelope } from '../../shared/outbox/envelope';
import type { OutboxState } from '../../shared/outbox/outbox';
import { useDone } from './useDone';

// only what useDone reads
const session = { id: 's', answered: [1], person_answered: true } as unknown as Session;
const keeping = (...waiting: Envelope[]): OutboxState => ({ waiting, refused: [], troubled: false, lost: false });
const vote = { kind: 'vote', id: 'v', body: { position: 2 } } as unknown as Envelope;

it('an answer that an earlier page had kept stays an answer once it has been sent', () => {
  const { result, rerender } = renderHook((outbox: OutboxState) => useDone(session, outbox, [vote]), { initialProps: keeping(vote) });
  expect([...result.current[0].answered]).toEqual([1, 2]);
  rerender(keeping());
  expect([...result.current[0].answered]).toEqual([1, 2]);
});

it('after forgetting, the server alone is believed', () => {
  const { result } = renderHook(() => useDone(session, keeping(), [vote]));
  act(() => { result.current[1].forget(); });
  expect([...result.current[0].answered]).toEqual([1]);
});
