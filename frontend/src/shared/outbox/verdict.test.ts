import { describe, expect, it } from 'vitest';

import { ApiError, errorOf, unexpectedAnswer } from '../api/error';
import { verdictOn } from './verdict';

describe('the verdict on a call', () => {
  it('stops and keeps the vote if the browser has another session', () => {
    expect(verdictOn(new ApiError('other_session', 'Another.', 409, false))).toEqual({ act: 'stop', loss: 'other_session' });
    expect(verdictOn(new ApiError('no_session', 'Who?', 401, false))).toEqual({ act: 'stop', loss: 'ended' });
  });

  it('retries after a 2xx without receipt, as from a captive portal', () => {
    expect(verdictOn(unexpectedAnswer())).toEqual({ act: 'again' });
  });

  it('retries after a foreign refusal, and gives up after a refusal of the platform', () => {
    expect(verdictOn(errorOf(403, null))).toEqual({ act: 'again' });
    expect(verdictOn(errorOf(401, null))).toEqual({ act: 'again' });
    const ours = { error: { code: 'invalid', message: 'No such trial.', retry: false } };
    expect(verdictOn(errorOf(422, ours))).toEqual({ act: 'refused', reason: 'No such trial.' });
  });
});
