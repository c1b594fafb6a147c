import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPushService, type PushService } from '../../support/reminders/push-service.ts';
import {
  changeReminders,
  check,
  deliveries,
  nextCheckOf,
  senderOf,
  subscribe,
} from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let clock: TestClock;
let service: PushService;
let accounts: Account[];
/** At 9:00 in the accounts' time zone, UTC+7, each has a plant that is due and whose automatic watering is locked. */
beforeAll(async () => {
  service = await openPushService();
  clock = testClock('2026-11-20T01:00:00.000Z');
  server = await openTestServer(clock, { reminders: { pushOrigins: [service.origin] } });
  accounts = [];
  for (let n = 0; n < 12; n += 1) {
    const account = await server.addAccount();
    accounts.push(account);
    await changeReminders(server, account, { push_enabled: true, mail_enabled: true });
    await subscribe(server, account, service, `/${n}`);
    await addPlant(server, account, { nickname: 'Monty', device_id: 'pot-1' });
  }
  await server.db.pool.query(
    'UPDATE plants SET next_watering_date = $1, auto_watering_enabled = true, auto_watering_locked = true',
    [clock()],
  );
  clock.advance(3_600_000);
});
afterAll(async () => {
  await service.close();
  await server.close();
});

test('the accounts are on several shards', async () => {
  const { rows } = await server.db.pool.query(
    `SELECT count(DISTINCT get_shard_id_for_distribution_column('reminder_settings', user_id))::int AS shards
      FROM reminder_settings`,
  );
  expect(rows[0].shards).toBeGreaterThan(1);
});

test('parallel runs of the check job notify every account once', async () => {
  await Promise.all(Array.from({ length: 3 }, () => check(server)));
  await check(server);
  expect(await deliveries(server)).toHaveLength(24);
  const mails = await server.db.pool.query('SELECT 1 FROM mail_outbox');
  expect(mails.rowCount).toBe(24);
  for (const { userId } of accounts) {
    const next = await nextCheckOf(server, userId);
    expect(Date.parse(next ?? '')).toBeGreaterThan(clock().getTime());
  }
});

test('two parallel senders send each message once', async () => {
  service.respond('/0', { status: 410 });
  service.respond('/1', { status: 503 });
  const senders = [senderOf(server, service), senderOf(server, service)];
  await Promise.all(senders.map((sender) => sender.run()));
  await Promise.all(senders.map((sender) => sender.whenIdle()));
  expect(service.received).toHaveLength(24);
  const topics = service.received.map(({ path, headers }) => `${path} ${headers.topic}`);
  expect(new Set(topics).size).toBe(24);
  expect(await deliveries(server)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
  const { rows } = await server.db.pool.query('SELECT 1 FROM push_subscriptions');
  expect(rows).toHaveLength(11);
});

test('on the next day every subscribed account gets the next digest, and only the account whose alert no channel accepted gets it again', async () => {
  clock.advance(24 * 3_600_000);
  service.received.length = 0;
  await check(server);
  const isValid = ({ expires_at }: { expires_at: Date }) => expires_at > clock();
  const titles = (await deliveries(server)).filter(isValid).map(({ title }) => title);
  const again = 'Monty is no longer watered automatically';
  expect(titles.sort()).toEqual([again, ...Array(11).fill('Monty needs water')]);
});
