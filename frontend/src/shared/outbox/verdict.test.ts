import { describe, expect, it } from 'vitest';

import { ApiError, unexpectedAnswer } from '../api/error';
import { verdictOn } from './verdict';

describe('the verdict on a call', () => {
  it('stops, so that the vote is kept, where the browser holds another session', () => {
    expect(verdictOn(new ApiError('other_session', 'Another.', 409, false))).toEqual({ act: 'stop', loss: 'other_session' });
    expect(verdictOn(new ApiError('no_session', 'Who?', 401, false))).toEqual({ act: 'stop', loss: 'ended' });
  });

  it('tries again after a 2xx that is no receipt: a portal of the network may have answered', () => {
    expect(verdictOn(unexpectedAnswer('/x', 200))).toEqual({ act: 'again' });
  });
});
