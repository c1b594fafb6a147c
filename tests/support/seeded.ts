/** Seeded random choices: the same seed gives the same choices. */
export interface Random {
  /** An integer from 0 to `end` - 1. */
  below: (end: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(all: readonly T[]) => T;
}

const defaultSeed = 20_261_121;

/** SPRIG_SEED repeats a run that failed. */
export function runSeed(): number {
  return countOf('SPRIG_SEED', defaultSeed);
}

/**
 * The number in an environment variable, e.g. the rounds of a long test; `small` if it is not set, as in `npm test`.
 */
export function countOf(name: string, small: number): number {
  const given = process.env[name];
  return given ? Number.parseInt(given, 10) : small;
}

/** A stream of choices per seed and step, so that one step can be repeated without those before it. */
export function seeded(seed: number, step = 0): Random {
  let state = (Math.imul(seed, 0x9e37_79b1) ^ Math.imul(step + 1, 0x85eb_ca6b)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(all: readonly T[]) => {
      const chosen = all[below(all.length)];
      if (chosen === undefined) throw new Error('nothing to pick from');
      return chosen;
    },
  };
}
