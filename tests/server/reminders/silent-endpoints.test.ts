import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SenderOptions } from '#server/reminders/sender.ts';
import { openPushService, type PushService } from '../../support/reminders/push-service.ts';
import {
  changeReminders,
  check,
  deliveries,
  senderOf,
  subscribe,
} from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  addUser,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const anHour = 3_600_000;

let server: TestServer;
let clock: TestClock;
let service: PushService;
/** 8:59 AM on Nov 20 in UTC+7. */
beforeEach(async () => {
  service = await openPushService();
  clock = testClock('2026-11-20T01:59:00.000Z');
  server = await openTestServer(clock, { reminders: { pushOrigins: [service.origin] } });
});
afterEach(async () => {
  await service.close();
  await server.close();
});

/**
 * Queues a digest for each of several accounts, due in the order of the accounts. The endpoints of the first `silent`
 * accounts never respond.
 */
async function queueDigests(silent: number, others: number): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let n = 0; n < silent + others; n += 1) {
    const owner = await server.addAccount();
    accounts.push(owner);
    if (n < silent) service.respond(`/${n}`, 'hang');
    await changeReminders(server, owner, { push_enabled: true, alerts_enabled: false });
    await subscribe(server, owner, service, `/${n}`);
    await addPlant(server, owner, { nickname: 'Fern' });
  }
  const { pool } = server.db;
  await pool.query('UPDATE plants SET next_watering_date = $1', [clock()]);
  clock.advance(60_000);
  await check(server);
  for (const [n, { userId }] of accounts.entries()) {
    await pool.query('UPDATE reminder_deliveries SET next_at = $2 WHERE user_id = $1', [
      userId,
      new Date(clock().getTime() - 1_000 + n),
    ]);
  }
  return accounts;
}

/** Requests end only when they are aborted. */
function openSender(
  options: Pick<SenderOptions, 'maxRequests' | 'abortableAfterMs' | 'timeoutMs'>,
) {
  return senderOf(server, service, { timeoutMs: anHour, ...options });
}

/** Collects what nothing refers to any more. Some objects need more than one run. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let run = 0; run < 10; run += 1) {
    await setImmediate();
    collect();
  }
}

const userIds = (accounts: readonly Account[]) => accounts.map(({ userId }) => userId).toSorted();
const unsent = async () => (await deliveries(server)).map(({ user_id }) => user_id).toSorted();
const attempts = async () =>
  (await deliveries(server)).map((delivery) => delivery.attempts).toSorted();

test('endpoints that never respond delay no other account', async () => {
  const accounts = await queueDigests(8, 4);
  const sender = openSender({ abortableAfterMs: anHour });
  await sender.run();
  await expect.poll(unsent).toEqual(userIds(accounts.slice(0, 8)));
  await service.arrived(12);
  sender.abort();
  await sender.whenIdle();
});

test('no more requests are in progress than allowed', async () => {
  await queueDigests(3, 2);
  const stopping = new AbortController();
  const sender = openSender({ abortableAfterMs: anHour, maxRequests: 2 });
  const run = sender.run(stopping.signal);
  await service.arrived(2);
  expect(await attempts()).toEqual([0, 0, 0, 1, 1]);
  stopping.abort();
  sender.abort();
  await run;
  await sender.whenIdle();
  expect(service.received).toHaveLength(2);
  expect(await attempts()).toEqual([0, 0, 0, 1, 1]);
});

test('when as many requests as allowed are waiting, the one that has waited longest is aborted for the next message', async () => {
  const accounts = await queueDigests(3, 0);
  const sender = openSender({ abortableAfterMs: 0, maxRequests: 2 });
  await sender.run();
  await service.arrived(3);
  const problems = () =>
    Promise.all(
      accounts.map(async (account) => {
        const { channels } = (await requestAs(server, account)('GET', '/api/reminders')).json();
        return channels.push.problem;
      }),
    );
  await expect.poll(problems).toEqual([expect.any(String), null, null]);
  sender.abort();
  await sender.whenIdle();
});

test('when as many requests as allowed are waiting, one is aborted for the next message and repeated later', async () => {
  const accounts = await queueDigests(5, 2);
  const sender = openSender({ abortableAfterMs: 0, maxRequests: 2 });
  await sender.run();
  await expect.poll(unsent).toEqual(userIds(accounts.slice(0, 5)));
  sender.abort();
  await sender.whenIdle();
  expect(await attempts()).toEqual([1, 1, 1, 1, 1]);
  for (const n of accounts.keys()) service.respond(`/${n}`, { status: 201 });
  clock.advance(30_000);
  await openSender({}).run();
  await expect.poll(unsent).toEqual([]);
});

test.each([
  ['never responds', 'hang', 1],
  ['never ends its response', 'drip', 0],
] as const)(
  'a request to an endpoint that %s ends at the timeout, also after a garbage collection',
  async (_, manner, waiting) => {
    await queueDigests(0, 1);
    service.respond('/0', manner);
    const sender = openSender({ timeoutMs: 500 });
    await sender.run();
    await service.arrived(1);
    await collectGarbage();
    await sender.whenIdle();
    await service.whenUnused();
    expect(await deliveries(server)).toHaveLength(waiting);
  },
);

test('expired messages of many accounts delay no other account', async () => {
  const [account] = await queueDigests(0, 1);
  const { pool } = server.db;
  for (let n = 0; n < 40; n += 1) {
    const userId = await addUser(server.db, clock, `other${n}@example.org`);
    await pool.query(
      `INSERT INTO reminder_deliveries (user_id, id, channel, title, body, data, next_at, expires_at)
        SELECT $1, gen_random_uuid(), channel, title, body, data, $2, $2 FROM reminder_deliveries
        WHERE user_id = $3`,
      [userId, new Date(clock().getTime() - anHour), account?.userId],
    );
  }
  const sender = openSender({});
  await sender.run();
  await sender.whenIdle();
  expect(service.received).toHaveLength(1);
  expect(await deliveries(server)).toEqual([]);
});

test('a delivery whose message cannot be read is reported and postponed, and delays no other one', async () => {
  const [owner] = await queueDigests(0, 3);
  const id = randomUUID();
  // A second delivery of the first account, as if a newer version had queued it.
  await server.db.pool.query(
    `INSERT INTO reminder_deliveries
      SELECT (jsonb_populate_record(one, jsonb_build_object('id', $2::uuid,
        'data', jsonb_set(one.data::jsonb, '{kind}', '"unknown"')::text))).*
      FROM reminder_deliveries one WHERE user_id = $1`,
    [owner?.userId, id],
  );
  const failures: string[] = [];
  const sender = senderOf(server, service, { onFailure: (code) => void failures.push(code) });
  await sender.run();
  await sender.whenIdle();
  expect(failures).toEqual(['ValiError']);
  expect(service.received).toHaveLength(3);
  const next_at = new Date(clock().getTime() + 30_000);
  expect(await deliveries(server)).toMatchObject([{ id, attempts: 1, next_at }]);
});
