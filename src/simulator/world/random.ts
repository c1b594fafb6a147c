/** The mulberry32 generator: small, fast, and its numbers are evenly distributed. Never use it for secrets. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An independent generator for each key, for example a moment, so that values can be computed in any order. */
export function randomFor(seed: number, key: number): () => number {
  return createRandom(Math.imul(seed + 1, 0x9e3779b1) ^ key);
}
