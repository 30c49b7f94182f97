import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { plainSession, plainTrial } from '../../test/records';
import type { components } from './contract.gen';
import { type Accepts, Session } from './forms';

type Me = components['schemas']['Me'];
type Completion = components['schemas']['Completion'];

describe('the forms of answers', () => {
  it('take a session, and leave out what the pages do not know', () => {
    const session = { ...plainSession, trials: [plainTrial] };
    expect(v.parse(Session, { ...session, more: true })).toEqual(session);
  });

  it.each([{ state: 'lost' }, { trials: [{ ...plainTrial, clip: null }] }, { answered: ['1'] }, { study: undefined }])('refuse %j', (wrong) => {
    expect(v.is(Session, { ...plainSession, ...wrong })).toBe(false);
  });

  it('are compared with the contract by the compiler', () => {
    const form = v.object({ username: v.string(), role: v.picklist(['guest']) });
    const strange = v.object({ username: v.number() });
    const more = v.object({ username: v.string(), email: v.string() });
    const strict = v.object({ debriefing: v.record(v.string(), v.string()) });
    const narrower: Accepts<typeof form, Me> | null = null;
    // @ts-expect-error another type
    const another: Accepts<typeof strange, Me> | null = null;
    // @ts-expect-error a field that the contract lacks
    const missing: Accepts<typeof more, Me> | null = null;
    // @ts-expect-error a null that the form does not expect
    const nothing: Accepts<typeof strict, Completion> | null = null;
    expect([narrower, another, missing, nothing]).toEqual([null, null, null, null]);
  });
});
