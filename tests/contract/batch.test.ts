import * as v from 'valibot';
import { expect, test } from 'vitest';
import { batchPayloadSchema, batchRequest, isBatchCall } from '#contract/batch.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  updatePlantRequest,
  waterPlantRequest,
} from '#contract/plants.ts';
import { plantPayload } from '../support/factories.ts';

const plant = plantPayload({ nickname: 'Fern "the first"' });
const requests = [
  createPlantRequest(plant),
  updatePlantRequest('p1', plant, '"v3"'),
  deletePlantRequest('p1'),
  waterPlantRequest('p1', { watered_at: '2026-11-20T08:00:00.000Z' }),
];

test('the writes of a plant may be sent in a batch', () => {
  for (const { method, path } of requests) expect(isBatchCall(method, path)).toBe(true);
});

test.each([
  ['GET', '/api/plants'],
  ['GET', '/api/plants/p1'],
  ['PUT', '/api/plants'],
  ['PUT', '/api/plants/'],
  ['POST', '/api/plants//water'],
  ['POST', '/api/plants/p1/water/'],
  ['POST', '/api/logs'],
  ['POST', '/api/batch'],
  ['POST', '/auth/logout'],
  ['DELETE', '/api/device-tokens/p1'],
  ['post', '/api/plants'],
])('%s %s may not be sent in a batch', (method, path) => {
  expect(isBatchCall(method, path)).toBe(false);
});

test('a batch contains key, method, path, version and body of each request', () => {
  const batch = batchRequest(requests.map((request, n) => ({ key: `op-${n}`, request })));
  expect(batch).toMatchObject({ method: 'POST', path: '/api/batch', ifMatch: null });
  const { operations } = v.parse(batchPayloadSchema, JSON.parse(batch.body ?? ''));
  expect(operations).toEqual([
    { key: 'op-0', method: 'POST', path: '/api/plants', body: plant },
    { key: 'op-1', method: 'PUT', path: '/api/plants/p1', if_match: '"v3"', body: plant },
    { key: 'op-2', method: 'DELETE', path: '/api/plants/p1' },
    { key: 'op-3', method: 'POST', path: requests[3]?.path },
  ]);
  for (const [n, operation] of operations.entries()) {
    expect(operation.body === undefined ? null : JSON.stringify(operation.body)).toBe(
      requests[n]?.body,
    );
  }
});
