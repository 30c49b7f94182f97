import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { plainSession, plainTrial } from '../../test/records';
import type { components } from './contract.gen';
import { type Accepts, Session } from './forms';

type Me = components['schemas']['Me'];
type Completion = components['schemas']['Completion'];

describe('the forms of answers', () => {
  it('accept a session, and ignore unknown fields', () => {
    const session = { ...plainSession, trials: [plainTrial] };
    expect(v.parse(Session, { ...session, more: true })).toEqual(session);
  });

  it.each([{ state: 'lost' }, { trials: [{ ...plainTrial, clip: null }] }, { answered: ['1'] }, { study: undefined }])('refuse %j', (wrong) => {
    expect(v.is(Session, { ...plainSession, ...wrong })).toBe(false);
  });

  it('are compared with the contract by the compiler', () => {
    const forms = {
      narrower: v.object({ username: v.string(), role: v.picklist(['guest']) }),
      strange: v.object({ username: v.number() }),
      more: v.object({ username: v.string(), email: v.string() }),
      strict: v.object({ debriefing: v.record(v.string(), v.string()) }),
    };
    type Forms = typeof forms;
    const narrower: Accepts<Forms['narrower'], Me> | null = null;
    // @ts-expect-error another type
    const another: Accepts<Forms['strange'], Me> | null = null;
    // @ts-expect-error a field that the contract lacks
    const missing: Accepts<Forms['more'], Me> | null = null;
    // @ts-expect-error a null that the form does not expect
    const nothing: Accepts<Forms['strict'], Completion> | null = null;
    expect(v.is(forms.narrower, { username: 'ada', role: 'admin' })).toBe(false);
    expect([narrower, another, missing, nothing]).toEqual([null, null, null, null]);
  });
});
