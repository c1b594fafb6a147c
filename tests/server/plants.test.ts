import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantPayload } from '../support/factories.ts';
import { addPlant, bearer, openTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('a created plant is answered whole, with its first watering due after its frequency', async () => {
  const account = await server.addAccount();
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/plants',
    headers: bearer(account),
    payload: plantPayload({ watering_frequency: 3 }),
  });
  expect(answer.statusCode).toBe(201);
  expect(answer.headers.etag).toBe('"v1"');
  expect(answer.json()).toMatchObject({
    ...plantPayload(),
    date_added: '2026-11-20T08:00:00.000Z',
    last_watered: null,
    next_watering_date: '2026-11-23T08:00:00.000Z',
    health_status: 'Unknown',
    reminder_enabled: false,
    age: null,
  });
});

test('a list holds the own plants alone', async () => {
  const [mine, other] = [await server.addAccount(), await server.addAccount()];
  const plant = await addPlant(server, mine, { nickname: 'Mine' });
  await addPlant(server, other, { nickname: 'Not mine' });
  const answer = await server.app.inject({ url: '/api/plants', headers: bearer(mine) });
  expect(answer.json()).toEqual([plant]);
});
