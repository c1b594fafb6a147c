import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlantFields } from '#domain/plant/fields.ts';
import { plantPayload } from '../../support/factories.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { dayMs, hourMs, type Pot } from '../../support/server/soil.ts';
import { isLocked, openLockedPot } from './support/locked-pot.ts';

// An edit that was made without a network may arrive after automatic watering was locked.

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const nowIso = () => server.clock().toISOString();

/** Stores an edit of the plant that was made at this time. */
async function edit(pot: Pot, editedAt: string, changes: Partial<PlantFields> = {}): Promise<void> {
  const fields = { device_id: 'pot-1', auto_watering_enabled: true, description: 'Edited' };
  const payload = plantPayload({ ...fields, ...changes });
  const url = `/api/plants/${pot.id}?edited_at=${encodeURIComponent(editedAt)}`;
  const response = await pot.request('PUT', url, { payload });
  expect(response.json()).toMatchObject({ ...fields, ...changes });
}

test('an edit from before the commands that failed is stored and does not unlock', async () => {
  const editedAt = nowIso();
  server.clock.advance(3 * hourMs);
  const { pot } = await openLockedPot(server);
  server.clock.advance(4 * hourMs);
  await edit(pot, editedAt);
  expect(await isLocked(server, pot)).toBe(true);
  expect(await pot.reportSoil(20, 20, 20)).toEqual([]);
});

test('an edit of more than 24 h ago does not unlock', async () => {
  const { pot } = await openLockedPot(server);
  const editedAt = nowIso();
  server.clock.advance(dayMs);
  await edit(pot, editedAt);
  expect(await isLocked(server, pot)).toBe(true);
});

test.each([
  ['that was made after the lock but arrives late', 0],
  ['whose time is in the future, because the clock of the device is wrong', 48 * hourMs],
])('an edit %s unlocks', async (_, aheadMs) => {
  const { pot } = await openLockedPot(server);
  const editedAt = new Date(server.clock().getTime() + aheadMs).toISOString();
  server.clock.advance(20 * hourMs);
  await edit(pot, editedAt);
  expect(await isLocked(server, pot)).toBe(false);
});

test.each([
  ['turns automatic watering off', { auto_watering_enabled: false }],
  ['changes the device', { device_id: 'pot-2' }],
])(
  'a late edit that %s removes the lock, which belongs to the state before',
  async (_, changes) => {
    const editedAt = nowIso();
    server.clock.advance(3 * hourMs);
    const { pot } = await openLockedPot(server);
    await edit(pot, editedAt, changes);
    expect(await isLocked(server, pot)).toBe(false);
  },
);

test('a time that is not one is rejected, and nothing is stored', async () => {
  const { pot } = await openLockedPot(server);
  const payload = plantPayload({ nickname: 'Other' });
  const url = `/api/plants/${pot.id}?edited_at=yesterday`;
  expect((await pot.request('PUT', url, { payload })).statusCode).toBe(422);
  expect(await isLocked(server, pot)).toBe(true);
});
