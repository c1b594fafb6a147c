import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantPayload, withoutLaterFields } from '../../support/factories.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { hourMs, openPot, type Pot } from '../../support/server/soil.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function lock(pot: Pot): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    await pot.reportDrySoil();
    server.clock.advance(hourMs);
  }
  await pot.reportSoil(20, 20, 20);
  expect(await pot.record()).toMatchObject({ auto_watering_reason: 'locked' });
}

const picture = { photo_id: '01890000-0000-7000-8000-000000000000' };
const reminders = { reminder_enabled: false, reminder_days_before: 2 };

test.each([
  ['the picture', picture],
  ['the reminders', reminders],
  ['the picture and the reminders', { ...picture, ...reminders }],
])('an edit of %s alone neither unlocks the plant nor withdraws a command', async (_, changes) => {
  const locked = await openPot(server);
  await lock(locked);
  expect((await locked.edit(changes)).json()).toMatchObject(changes);
  expect(await locked.record()).toMatchObject({ auto_watering_reason: 'locked' });
  expect(await locked.reportSoil(20)).toEqual([]);
  const watering = await openPot(server);
  const command = await watering.reportDrySoil();
  await watering.edit(changes);
  expect(await watering.log({ soil_humidity: 20 })).toEqual([command]);
});

test('saving unchanged fields unlocks the plant, also if the request leaves out optional ones', async () => {
  const pot = await openPot(server);
  await lock(pot);
  const fields = plantPayload({ device_id: 'pot-1', auto_watering_enabled: true });
  const payload = withoutLaterFields(fields);
  expect(payload).not.toHaveProperty('photo_id');
  const saved = await pot.request('PUT', `/api/plants/${pot.id}`, { payload });
  expect(saved.json()).toMatchObject(fields);
  expect(await pot.reportSoil(20)).toHaveLength(1);
});

test.each([
  ['nothing', {}],
  ['the name and the picture', { ...picture, nickname: 'Rosa' }],
])('an edit that changes %s unlocks the plant', async (_, changes) => {
  const pot = await openPot(server);
  await lock(pot);
  await pot.edit(changes);
  expect(await pot.reportSoil(20)).toHaveLength(1);
});
