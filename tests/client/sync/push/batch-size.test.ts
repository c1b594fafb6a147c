import { expect, test } from 'vitest';
import { createBatchSize } from '#client/sync/push/batch-size.ts';

test('one op is sent first, and 50 after a response', () => {
  const size = createBatchSize();
  expect(size.ops()).toBe(1);
  size.answered(1);
  expect(size.ops()).toBe(50);
});

test('after a lost response one op is sent, and then as many as before', () => {
  const size = createBatchSize();
  size.answered(1);
  size.unanswered(50, false);
  expect(size.ops()).toBe(1);
  size.answered(1);
  expect(size.ops()).toBe(50);
});

test('a batch that timed out is halved, and grows again after full batches with a response', () => {
  const size = createBatchSize();
  size.answered(1);
  size.unanswered(50, true);
  size.answered(1);
  expect(size.ops()).toBe(25);
  size.answered(3);
  expect(size.ops()).toBe(25);
  size.answered(25);
  expect(size.ops()).toBe(50);
});

test('on the slowest line it ends with single ops', () => {
  const size = createBatchSize();
  for (let i = 0; i < 10; i += 1) {
    size.answered(1);
    size.unanswered(size.ops(), true);
  }
  size.answered(0);
  expect(size.ops()).toBe(1);
});

test('a server without batches gets single calls from then on', () => {
  const size = createBatchSize();
  size.answered(1);
  size.unsupported();
  size.answered(50);
  expect(size.ops()).toBe(1);
});
