import { expect, test } from 'vitest';
import { createBatchSize } from '#client/sync/push/batch-size.ts';

test('one op is sent first, and 50 after a response', () => {
  const size = createBatchSize();
  expect(size.limit()).toBe(1);
  size.onResponse(1);
  expect(size.limit()).toBe(50);
});

test('after a lost response one op is sent, and then as many as before', () => {
  const size = createBatchSize();
  size.onResponse(1);
  size.onNoResponse(50, false);
  expect(size.limit()).toBe(1);
  size.onResponse(1);
  expect(size.limit()).toBe(50);
});

test('the batch size is halved after a timeout and grows again after full batches with a response', () => {
  const size = createBatchSize();
  size.onResponse(1);
  size.onNoResponse(50, true);
  size.onResponse(1);
  expect(size.limit()).toBe(25);
  size.onResponse(3);
  expect(size.limit()).toBe(25);
  size.onResponse(25);
  expect(size.limit()).toBe(50);
});

test('after repeated timeouts the batch size is one op', () => {
  const size = createBatchSize();
  for (let i = 0; i < 10; i += 1) {
    size.onResponse(1);
    size.onNoResponse(size.limit(), true);
  }
  size.onResponse(0);
  expect(size.limit()).toBe(1);
});

test('once the server is known to have no batches, each request contains one op', () => {
  const size = createBatchSize();
  size.onResponse(1);
  size.onUnsupported();
  size.onResponse(50);
  expect(size.limit()).toBe(1);
});
