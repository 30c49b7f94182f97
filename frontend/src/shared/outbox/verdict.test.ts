import { describe, expect, it } from 'vitest';

import { ApiError, errorOf, unexpectedAnswer } from '../api/error';
import { verdictOn } from './verdict';

describe('the verdict on a call', () => {
  it('stops, so that the vote is kept, where the browser holds another session', () => {
    expect(verdictOn(new ApiError('other_session', 'Another.', 409, false))).toEqual({ act: 'stop', loss: 'other_session' });
    expect(verdictOn(new ApiError('no_session', 'Who?', 401, false))).toEqual({ act: 'stop', loss: 'ended' });
  });

  it('tries again after a 2xx that is no receipt: a portal of the network may have answered', () => {
    expect(verdictOn(unexpectedAnswer())).toEqual({ act: 'again' });
  });

  it('tries again after a refusal that is not in the form of our server, and gives up after one that is', () => {
    expect(verdictOn(errorOf(403, null))).toEqual({ act: 'again' });
    expect(verdictOn(errorOf(401, null))).toEqual({ act: 'again' });
    const ours = { error: { code: 'invalid', message: 'No such trial.', retry: false } };
    expect(verdictOn(errorOf(422, ours))).toEqual({ act: 'refused', reason: 'No such trial.' });
  });
});
