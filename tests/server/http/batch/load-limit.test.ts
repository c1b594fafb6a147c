import { expect, test } from 'vitest';
import { plantPayload } from '../../../support/factories.ts';
import { requestAs } from '../../../support/server/request.ts';
import { addPlant, openTestServer } from '../../../support/server/server.ts';

test('operations of batches do not stay counted as requests in progress', async () => {
  const server = await openTestServer(undefined, { maxRequests: 10 });
  const account = await server.addAccount();
  const plant = await addPlant(server, account);
  for (let i = 0; i < 5; i += 1) {
    const operations = Array.from({ length: 20 }, (_, n) => ({
      key: `k${i}-${n}`,
      method: 'POST',
      path: `/api/plants/${plant.id}/water`,
    }));
    const response = await requestAs(server, account)('POST', '/api/batch', {
      payload: { operations },
    });
    const { results } = response.json() as { results: { status: number }[] };
    expect(results.map(({ status }) => status)).toEqual(Array(20).fill(200));
  }
  await server.close();
});

test('a batch that creates 20 plants succeeds with the smallest limit that MAX_REQUESTS can set', async () => {
  const server = await openTestServer(undefined, { maxRequests: 5 });
  const account = await server.addAccount();
  const operations = Array.from({ length: 20 }, (_, n) => ({
    key: `k${n}`,
    method: 'POST',
    path: '/api/plants',
    body: plantPayload(),
  }));
  const response = await requestAs(server, account)('POST', '/api/batch', {
    payload: { operations },
  });
  const { results } = response.json() as { results: { status: number }[] };
  expect(results.map(({ status }) => status)).toEqual(Array(20).fill(201));
  await server.close();
});
