import { expect, test } from 'vitest';
import type { ApiResponse } from '#client/api/send.ts';
import { type OpType, opTraits } from '#client/store/outbox/op.ts';
import { classify, type OpResult } from '#client/sync/push/classify.ts';

const types = Object.keys(opTraits) as OpType[];

function response(status: number, more: Partial<ApiResponse> = {}): ApiResponse {
  return {
    status,
    ok: status >= 200 && status < 300,
    body: { message: 'So it is' },
    isJson: true,
    etag: null,
    replayed: false,
    retryAfterMs: null,
    serverTime: null,
    ...more,
  };
}

/** A page of a captive portal, a gateway, a proxy. */
const page = { body: undefined, isJson: false } as const;
const error = (status: number | null, message = 'So it is') => ({ message, status });

test('without a response an op of any type is uncertain', () => {
  for (const type of types) {
    const result = classify(type, null);
    expect(result).toMatchObject({
      type: 'uncertain',
      error: { status: null },
      retryAfterMs: null,
    });
  }
});

test.each([200, 201])('a %d with JSON means that the op is done', (status) => {
  for (const type of types) {
    const given = response(status);
    expect(classify(type, given)).toEqual({ type: 'done', response: given });
  }
});

test.each<[status: number, more: Partial<ApiResponse>, expected: number | null]>([
  [200, page, null],
  [204, page, null],
  [408, {}, 408],
  [500, {}, 500],
  [500, page, null],
  [501, {}, 501],
  [502, {}, null],
  [503, {}, null],
  [504, page, null],
  [404, page, null],
  [403, page, null],
  [409, page, null],
])('%d (%o) leaves any op uncertain, and its error has the status %s', (status, more, expected) => {
  for (const type of types) {
    const result = classify(type, response(status, more));
    expect(result).toMatchObject({ type: 'uncertain', error: { status: expected } });
  }
});

test('a proxy that refuses an upload as too large rejects it, and leaves any other op uncertain', () => {
  const refusal = response(413, page);
  expect(classify('add_photo', refusal)).toEqual({
    type: 'rejected',
    error: error(413, 'The photo is larger than the server accepts.'),
  });
  for (const type of types.filter((one) => one !== 'add_photo')) {
    expect(classify(type, refusal).type).toBe('uncertain');
  }
});

test('the error message of a failing server is part of the result', () => {
  expect(classify('water', response(500))).toMatchObject({ error: error(500) });
  expect(classify('water', response(500, page))).toMatchObject({
    error: error(null, 'Request failed with status 500'),
  });
});

test('the result of a 503 or 429 contains the wait from its Retry-After', () => {
  const patient = { retryAfterMs: 7_000 };
  expect(classify('water', response(503, patient))).toMatchObject({
    type: 'uncertain',
    ...patient,
  });
  expect(classify('water', response(429, patient))).toEqual({ type: 'later', ...patient });
});

test.each([425, 429])('%d makes the whole outbox wait', (status) => {
  for (const type of types) {
    expect(classify(type, response(status))).toEqual({ type: 'later', retryAfterMs: null });
  }
});

test('a 401 is classified as unauthorized for any op', () => {
  for (const type of types) expect(classify(type, response(401))).toEqual({ type: 'unauthorized' });
});

test.each([409, 412])('%d means that the request is stale', (status) => {
  for (const type of types) {
    expect(classify(type, response(status))).toEqual({ type: 'stale', error: error(status) });
  }
});

test.each<[OpType, status: number, OpResult['type']]>([
  ['delete', 404, 'done'],
  ['delete', 410, 'done'],
  ['update', 404, 'rejected'],
  ['water', 404, 'rejected'],
  ['create', 404, 'rejected'],
  ['update', 410, 'rejected'],
  ['add_entry', 404, 'rejected'],
  ['edit_entry', 404, 'rejected'],
  ['remove_entry', 404, 'done'],
  ['remove_entry', 410, 'done'],
  ['remove_photo', 404, 'done'],
  ['add_photo', 404, 'rejected'],
  ['add_photo', 410, 'done'],
])('%s of a plant, entry or photo that is gone (%d): %s', (type, status, result) => {
  expect(classify(type, response(status)).type).toBe(result);
});

test.each([400, 403, 405, 413, 415, 422])(
  '%d rejects the op with the message of the server',
  (status) => {
    for (const type of types) {
      expect(classify(type, response(status))).toEqual({ type: 'rejected', error: error(status) });
    }
  },
);

test('a mismatch of the idempotency key rejects a create; for any other op it means that an earlier send was applied', () => {
  const body = { code: 'idempotency_mismatch', message: 'Used before' };
  for (const type of types.filter((one) => one !== 'create')) {
    expect(classify(type, response(422, { body }))).toEqual({ type: 'applied-before' });
  }
  expect(classify('create', response(422, { body }))).toEqual({
    type: 'rejected',
    error: error(422, expect.stringContaining('already added')),
  });
  expect(classify('update', response(400, { body })).type).toBe('rejected');
});

test.each([[null], ['text'], [['a']], [7]])('a 422 with the body %j rejects the op too', (body) => {
  expect(classify('update', response(422, { body })).type).toBe('rejected');
});
