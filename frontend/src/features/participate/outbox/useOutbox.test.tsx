import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { playBody } from '../../../test/records';
import { soon } from '../../../test/soon';
import { useOutbox } from './useOutbox';

it('sends a held play when the page is closed, with a keepalive request', async () => {
  const calls: Request[] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    calls.push(request);
    return new Promise(() => undefined);
  });
  const { result } = renderHook(() => useOutbox('s'));
  const outbox = await soon(() => result.current ?? Promise.reject(new Error('not open yet')));
  await act(() => outbox.hold(playBody));
  expect(calls).toEqual([]);
  dispatchEvent(new Event('pagehide'));
  await soon(() => { expect(calls).toHaveLength(1); });
  expect(calls[0]?.url).toContain('/api/session/plays/');
  expect(calls[0]?.keepalive).toBe(true);
});
