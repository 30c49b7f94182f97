import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { OutboxState } from '../../../shared/outbox/outbox';
import { plainSession, playBody, voteBody } from '../../../test/records';
import { useDone } from './useDone';

const session = { ...plainSession, answered: [1] };
const empty: OutboxState = { waiting: [], refused: [], troubled: false, fleeting: false, overtaken: 0, lost: null };
const holding: OutboxState = {
  ...empty,
  waiting: [
    {
      id: 'a',
      session_id: 's',
      created_at_ms: 0,
      refused: null,
      kind: 'vote',
      body: { ...voteBody, position: 2 },
    },
    { id: 'b', session_id: 's', created_at_ms: 1, refused: null, kind: 'play', body: { ...playBody, position: 3 } },
  ],
};

describe('the completed steps of a session', () => {
  it('still include a vote of an earlier page after it was sent', () => {
    const { result, rerender } = renderHook(({ outbox }) => useDone(session, outbox), { initialProps: { outbox: holding } });
    expect([...result.current[0].answered]).toEqual([1, 2]);
    rerender({ outbox: empty });
    expect([...result.current[0].answered]).toEqual([1, 2]);
  });

  it('include a control question that an earlier page left in the outbox', () => {
    const left: OutboxState = {
      ...empty,
      waiting: [{ id: 'c', session_id: 's', created_at_ms: 2, refused: null, kind: 'control', body: { key: 'later', choice: 'x' } }],
    };
    const withControl = { ...session, controls_answered: ['first'] };
    const { result } = renderHook(() => useDone(withControl, left));
    expect([...result.current[0].controls]).toEqual(['first', 'later']);
    act(() => { result.current[1].answerControl('last'); });
    expect([...result.current[0].controls]).toEqual(['first', 'later', 'last']);
  });

  it('include skipped trials after a reload', () => {
    const first = renderHook(() => useDone(session, empty));
    act(() => { first.result.current[1].skip([3, 4]); });
    expect([...renderHook(() => useDone(session, empty)).result.current[0].skipped]).toEqual([3, 4]);
    expect([...renderHook(() => useDone({ ...session, id: 'other' }, empty)).result.current[0].skipped]).toEqual([]);
  });

  it('are those of the server alone after a reset', () => {
    const { result } = renderHook(() => useDone(session, empty));
    act(() => { result.current[1].answer(2); });
    expect([...result.current[0].answered]).toEqual([1, 2]);
    act(() => { result.current[1].forget(); });
    expect([...result.current[0].answered]).toEqual([1]);
  });
});
