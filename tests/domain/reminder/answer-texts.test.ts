import { expect, test } from 'vitest';
import { wateredTexts } from '#domain/reminder/answer-texts.ts';

const plants = [{ name: 'Monty' }, { name: 'Fern' }];

test.each([
  [false, 'Watered, waiting to be sent'],
  [true, 'Watered'],
])('an answer that was sent: %s, is titled %s and names the plants', (isSent, title) => {
  expect(wateredTexts(plants, isSent)).toEqual({ title, body: 'Monty and Fern' });
});
