import { expect, test } from 'vitest';
import { createRandom, randomFor } from '#simulator/world/random.ts';

test('the same seed gives the same numbers, another seed gives others', () => {
  const numbers = (seed: number) => Array.from({ length: 50 }, createRandom(seed));
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
});

test('numbers lie in [0, 1) and spread evenly', () => {
  const random = createRandom(42);
  const numbers = Array.from({ length: 20_000 }, random);
  expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const share = numbers.filter((n) => Math.floor(n * 10) === tenth).length / numbers.length;
    expect(share).toBeCloseTo(0.1, 1);
  }
});

test('the first numbers of consecutive keys have a mean of about 0.5 and rarely repeat', () => {
  const firsts = Array.from({ length: 10_000 }, (_, key) => randomFor(3, key)());
  const mean = firsts.reduce((sum, n) => sum + n, 0) / firsts.length;
  expect(mean).toBeCloseTo(0.5, 1);
  expect(new Set(firsts).size).toBeGreaterThan(9_900);
});
