import { expect, it } from 'vitest';

import type { Session } from '../../shared/api/session';
import { isOwnSession, noteSession } from './ownSession';

it('tells the session of another study from that of this one', () => {
  const session = { id: 's' } as Session;
  expect(isOwnSession(session, 'a')).toBe(true);
  noteSession(session, 'b');
  expect([isOwnSession(session, 'a'), isOwnSession(session, 'b')]).toEqual([false, true]);
});
