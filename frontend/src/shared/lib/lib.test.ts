import { describe, expect, it, vi } from 'vitest';

import { backoffMs } from './backoff';
import { hexOf, hmacSha256, sha256 } from './sha256';
import { newUuid } from './uuid';

describe('backoff', () => {
  it('doubles up to 30 s, with half of it random', () => {
    expect([1, 2, 3, 6, 50].map((attempt) => backoffMs(attempt, 0))).toEqual([500, 1000, 2000, 15_000, 15_000]);
    expect(backoffMs(1, 0.5)).toBe(750);
    expect(backoffMs(50, 0.999_999)).toBe(30_000);
  });
});

describe('UUID', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it('is of version 4 also where crypto.randomUUID is missing', () => {
    const insecure = { getRandomValues: (bytes: Uint8Array) => bytes.fill(255) } as unknown as Crypto;
    expect(newUuid(insecure)).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
    expect(newUuid()).toMatch(form);
  });
});

describe('SHA-256', () => {
  const abc = new Uint8Array([97, 98, 99]).buffer;
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

  // RFC 4231, test case 2
  const message = new TextEncoder().encode('what do ya want for nothing?');
  const code = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

  it('returns the known digest of "abc", and the known HMAC of a message', async () => {
    expect(hexOf(await sha256(abc))).toBe(known);
    expect(hexOf(await hmacSha256('Jefe', message))).toBe(code);
  });

  it('is the same without crypto.subtle, as on plain http', async () => {
    const long = crypto.getRandomValues(new Uint8Array(60_001)).buffer;
    const expected = await sha256(long);
    vi.stubGlobal('crypto', { subtle: undefined });
    expect(hexOf(await sha256(abc))).toBe(known);
    expect(await sha256(long)).toEqual(expected);
    expect(hexOf(await hmacSha256('Jefe', message))).toBe(code);
  });
});
