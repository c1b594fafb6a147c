import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeReminders, check, deliveries } from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { openPot, type Pot } from '../../support/server/soil.ts';

let server: TestServer;
let clock: TestClock;
let pot: Pot;
/** 7:45 PM on Nov 20 in UTC+7. The quiet hours are from 9 PM to 8 AM. */
beforeEach(async () => {
  clock = testClock('2026-11-20T12:45:00.000Z');
  server = await openTestServer(clock);
  pot = await openPot(server, { nickname: 'Monty' });
  await changeReminders(server, pot.account, {
    ntfy_enabled: true,
    ntfy_url: 'https://ntfy.sh/x',
    digest_enabled: false,
  });
});
afterEach(() => server.close());

function at(moment: string): void {
  clock.advance(Date.parse(moment) - clock().getTime());
}

async function checkAt(moment: string): Promise<void> {
  at(moment);
  await check(server);
}

async function run(status: 'done' | 'failed'): Promise<void> {
  const { id } = await pot.reportDrySoil();
  await pot.report({ id, status });
}

const titles = async () => (await deliveries(server)).map(({ title }) => title);
const failure = 'The pump of Monty failed';

test('a pump that worked in the quiet hours and failed again in them is reported again, once', async () => {
  await run('failed');
  await checkAt('2026-11-20T13:00:00Z');
  expect(await titles()).toEqual([failure]);
  at('2026-11-20T16:00:00Z');
  await run('done');
  at('2026-11-20T22:00:00Z');
  await run('failed');
  await checkAt('2026-11-21T01:00:00Z');
  expect(await titles()).toEqual([failure, failure]);
  await checkAt('2026-11-21T01:15:00Z');
  expect(await titles()).toHaveLength(2);
});

test('a pump that failed twice in a row, without working in between, is reported once', async () => {
  const earlier = await pot.reportDrySoil();
  at('2026-11-20T13:35:00Z');
  await run('failed');
  await checkAt('2026-11-20T13:45:00Z');
  expect(await titles()).toEqual([failure]);
  // The result of a command from before the failure arrives late.
  await pot.report({ id: earlier.id, status: 'done' });
  at('2026-11-20T22:00:00Z');
  await run('failed');
  await checkAt('2026-11-21T01:00:00Z');
  expect(await titles()).toEqual([failure]);
});
