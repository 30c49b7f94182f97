/** A source of numbers in [0, 1). */
export type Rng = () => number;

/** Mulberry32: a small seeded generator, good enough to simulate participants, not for anything secret. */
export function seededRng(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(rng: Rng, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(rng() * choices.length)] ?? choices[0];
}
