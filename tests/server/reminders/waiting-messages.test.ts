import { afterEach, beforeEach, expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { openPushService, type PushService } from '../../support/reminders/push-service.ts';
import {
  changeReminders,
  check,
  deliveries,
  sendDue,
  senderOf,
  subscribe,
} from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const minute = 60_000;

let server: TestServer;
let clock: TestClock;
let service: PushService;
let account: Account;
/** What the sender has reported. */
let failures: string[];
/** 10 AM on Nov 20 in UTC+7. The push service is down. */
beforeEach(async () => {
  service = await openPushService();
  service.respond('/one', { status: 503 });
  clock = testClock('2026-11-20T03:00:00.000Z');
  server = await openTestServer(clock, { reminders: { pushOrigins: [service.origin] } });
  account = await server.addAccount();
  failures = [];
  await changeReminders(server, account, { push_enabled: true, digest_time: '10:01' });
  await subscribe(server, account, service);
  await addPlant(server, account, { nickname: 'Monty', device_id: 'pot-1' });
});
afterEach(async () => {
  await service.close();
  await server.close();
});

const sendAll = () => sendDue(server, service, { onFailure: (code) => void failures.push(code) });

const topic = () => ({ ntfy_enabled: true, ntfy_url: `${service.origin}/topic` });

const lock = () =>
  server.db.pool.query(
    'UPDATE plants SET auto_watering_enabled = true, auto_watering_locked = true',
  );

test('if the only browser signs out while an alert waits, the alert is sent once to the next browser that subscribes', async () => {
  await changeReminders(server, account, { digest_enabled: false });
  await lock();
  await check(server);
  await sendAll();
  await requestAs(server, account)('POST', '/auth/logout');
  clock.advance(minute);
  await sendAll();
  expect(await deliveries(server)).toEqual([]);
  const again = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, again, service, '/two');
  for (let n = 0; n < 2; n += 1) {
    clock.advance(15 * minute);
    await check(server);
    await sendAll();
    expect(service.received.map(({ path }) => path)).toEqual(['/one', '/two']);
  }
});

test('an alert that waits when its browser signs out and in again is sent to the new session', async () => {
  await changeReminders(server, account, { digest_enabled: false });
  await lock();
  await check(server);
  await sendAll();
  await requestAs(server, account)('POST', '/auth/logout');
  const again = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, again, service, '/two');
  for (let n = 0; n < 2; n += 1) {
    clock.advance(15 * minute);
    await sendAll();
    await check(server);
    await sendAll();
    expect(service.received.map(({ path }) => path)).toEqual(['/one', '/two']);
  }
});

test('an alert that waits for two browsers is not reported again after one of them has signed out', async () => {
  service.respond('/two', { status: 503 });
  const other = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, other, service, '/two');
  await changeReminders(server, account, { digest_enabled: false });
  await lock();
  await check(server);
  await sendAll();
  await requestAs(server, other)('POST', '/auth/logout');
  clock.advance(minute);
  service.respond('/one', { status: 201 });
  await sendAll();
  clock.advance(15 * minute);
  await check(server);
  await sendAll();
  expect(service.received.map(({ path }) => path).sort()).toEqual(['/one', '/one', '/two']);
});

test('after an alert about many plants has reached nobody, the next alert is about all of them again', async () => {
  for (let n = 0; n < 79; n += 1) await addPlant(server, account, { nickname: `Monty ${n}` });
  await changeReminders(server, account, { digest_enabled: false });
  await lock();
  await check(server);
  service.respond('/one', { status: 410 });
  await sendAll();
  await subscribe(server, account, service, '/two');
  clock.advance(15 * minute);
  await check(server);
  const titles = (await deliveries(server)).map(({ title }) => title);
  expect(titles).toEqual(['80 problems in your garden']);
});

test('if an alert reaches nobody, only that alert is reported again, not an earlier one about the same plant', async () => {
  service.respond('/one', { status: 201 });
  await changeReminders(server, account, { digest_enabled: false });
  await lock();
  await check(server);
  await sendAll();
  clock.advance(15 * minute);
  const { pool } = server.db;
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM plants');
  const payload = { plant_id: rows[0]?.id, soil_humidity: 1 };
  expect((await requestAs(server, account)('POST', '/api/logs', { payload })).statusCode).toBe(201);
  await check(server);
  service.respond('/one', { status: 410 });
  await sendAll();
  await subscribe(server, account, service, '/two');
  clock.advance(15 * minute);
  await check(server);
  const titles = (await deliveries(server)).map(({ title }) => title);
  expect(titles).toEqual(['Monty is in a critical state']);
});

test.each([
  ['in the same change', [{ push_enabled: false, mail_enabled: true }]],
  ['before it', [{ mail_enabled: true }, { push_enabled: false }]],
  ['after it', [{ push_enabled: false }, { mail_enabled: true }]],
])(
  'an alert that waits when its channel is turned off is sent by a channel that is turned on %s',
  async (_, changes) => {
    await changeReminders(server, account, { digest_enabled: false });
    await lock();
    await check(server);
    await sendAll();
    for (const change of changes) await changeReminders(server, account, change);
    await check(server);
    expect(await deliveries(server)).toEqual([]);
    const subjects = (await server.mailsTo(account.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(['Monty is no longer watered automatically']);
  },
);

test.each([
  ['turned on after it was made', false],
  ['that it waits for too', true],
])(
  'an alert that waits when the only browser signs out is sent once by email %s',
  async (_, isOn) => {
    await changeReminders(server, account, { digest_enabled: false, mail_enabled: isOn });
    await lock();
    await check(server);
    await sendAll();
    await changeReminders(server, account, { mail_enabled: true });
    await requestAs(server, account)('POST', '/auth/logout');
    clock.advance(minute);
    await sendAll();
    clock.advance(15 * minute);
    await check(server);
    expect(await server.mailsTo(account.email)).toHaveLength(1);
  },
);

test('turning one of two channels off deletes its messages that wait to be sent, and repeats none on the other', async () => {
  await changeReminders(server, account, { digest_enabled: false, mail_enabled: true });
  await lock();
  await check(server);
  const waiting = async () => {
    const { rowCount } = await server.db.pool.query('SELECT FROM mail_outbox');
    return { push: (await deliveries(server)).length, mail: rowCount };
  };
  expect(await waiting()).toEqual({ push: 1, mail: 1 });
  await changeReminders(server, account, { mail_enabled: false });
  await check(server);
  expect(await waiting()).toEqual({ push: 1, mail: 0 });
  await changeReminders(server, account, { push_enabled: false });
  expect(await waiting()).toEqual({ push: 0, mail: 0 });
});

test.each([
  ['alerts', { alerts_enabled: false }, { alerts_enabled: true }],
  ['all channels', { push_enabled: false }, { push_enabled: true }],
])(
  'a problem that ends and occurs again while %s are off is reported once they are on again',
  async (_, off, on) => {
    service.respond('/one', { status: 201 });
    await changeReminders(server, account, { digest_enabled: false });
    await lock();
    await check(server);
    await sendAll();
    await changeReminders(server, account, off);
    await server.db.pool.query('UPDATE plants SET auto_watering_locked = false');
    clock.advance(60 * minute);
    await check(server);
    await lock();
    await changeReminders(server, account, on);
    for (let n = 0; n < 2; n += 1) {
      clock.advance(15 * minute);
      await check(server);
      await sendAll();
    }
    expect(service.received).toHaveLength(2);
  },
);

test.each(['push', 'mail'] as const)(
  'an alert by %s that waits when alerts are turned off is deleted, and queued again once they are on',
  async (channel) => {
    const channels = { push_enabled: channel === 'push', mail_enabled: channel === 'mail' };
    await changeReminders(server, account, { digest_enabled: false, ...channels });
    await lock();
    await check(server);
    await sendAll();
    await changeReminders(server, account, { alerts_enabled: false });
    await changeReminders(server, account, { alerts_enabled: true });
    expect(await check(server)).toBe(true);
    const emails = await server.mailsTo(account.email);
    expect((await deliveries(server)).length + emails.length).toBe(1);
  },
);

test('turning the digest or alerts off deletes their messages that wait to be sent, and no others', async () => {
  await changeReminders(server, account, { mail_enabled: true });
  await server.db.pool.query('UPDATE plants SET next_watering_date = $1', [clock()]);
  await lock();
  clock.advance(minute);
  await check(server);
  await sendAll();
  const waiting = async () => {
    const { rows } = await server.db.pool.query<{ subject: string }>(
      'SELECT subject FROM mail_outbox ORDER BY subject',
    );
    const kinds = (await deliveries(server)).map(({ data }) => JSON.parse(data).kind);
    return [...kinds.toSorted(), ...rows.map(({ subject }) => subject)];
  };
  const locked = 'Monty is no longer watered automatically';
  expect(await waiting()).toEqual(['alert', 'digest', locked, 'Monty needs water']);
  await changeReminders(server, account, { digest_enabled: false });
  expect(await waiting()).toEqual(['alert', locked]);
  await changeReminders(server, account, { digest_enabled: true, alerts_enabled: false });
  expect(await waiting()).toEqual([]);
});

test.each([
  ['quiet hours', '/api/reminders', { quiet_from: '10:00', quiet_to: '12:00' }, '05:00'],
  ['time zone', '/auth/me', { time_zone: 'America/New_York' }, '13:00'],
])(
  'after a change of the %s no message that waits is sent in the quiet hours',
  async (_, url, payload, end) => {
    await changeReminders(server, account, { digest_enabled: false, mail_enabled: true });
    await lock();
    await check(server);
    await sendAll();
    await requestAs(server, account)('PATCH', url, { payload });
    service.respond('/one', { status: 201 });
    const endsAt = Date.parse(`2026-11-20T${end}:00Z`);
    for (const moment of [clock().getTime() + minute, endsAt - 1]) {
      clock.advance(moment - clock().getTime());
      await sendAll();
      expect(service.received).toHaveLength(1);
      expect(await server.mailsTo(account.email)).toEqual([]);
    }
    clock.advance(1);
    await sendAll();
    expect(service.received).toHaveLength(2);
    expect(await server.mailsTo(account.email)).toHaveLength(1);
  },
);

test.each([
  ['turned off', '10:00', 0],
  ['made shorter', '10:30', 27],
])(
  'messages that wait for the end of the quiet hours are sent earlier once the quiet hours are %s',
  async (_, end, minutes) => {
    service.respond('/topic', { status: 503 });
    await changeReminders(server, account, topic());
    await server.db.pool.query('UPDATE plants SET next_watering_date = $1', [clock()]);
    await lock();
    clock.advance(minute);
    await check(server);
    await sendAll();
    // The digest expires in these quiet hours, the alert does not.
    await changeReminders(server, account, { quiet_from: '10:00', quiet_to: '08:00' });
    clock.advance(2 * minute);
    await sendAll();
    for (const path of ['/one', '/topic']) service.respond(path, { status: 201 });
    await changeReminders(server, account, { quiet_to: end });
    if (minutes > 0) {
      clock.advance(minutes * minute - 1);
      await sendAll();
      clock.advance(1);
    }
    expect(service.received).toHaveLength(4);
    await sendAll();
    expect(service.received).toHaveLength(8);
  },
);

/**
 * Sends due messages every hour for 24 hours, then checks the account and sends again. Resolves to the titles of the
 * messages that still wait.
 */
async function titlesAfterADay(): Promise<string[]> {
  for (let n = 0; n < 24; n += 1) {
    await sendAll();
    clock.advance(60 * minute);
  }
  await check(server);
  await sendAll();
  return (await deliveries(server)).map(({ title }) => title);
}

const lockedTitle = 'Monty is no longer watered automatically';

test('messages that were queued while the clock was ahead are sent as soon as the clock is right again, and retried 30 seconds after a failure', async () => {
  service.respond('/topic', { status: 503 });
  await changeReminders(server, account, { digest_enabled: false, ...topic() });
  await lock();
  clock.advance(3 * 24 * 60 * minute);
  await check(server);
  clock.advance(-3 * 24 * 60 * minute);
  const counts = [];
  for (const pause of [0, minute / 2 - 1, 1]) {
    clock.advance(pause);
    await sendAll();
    counts.push(service.received.length);
  }
  expect(counts).toEqual([2, 2, 4]);
});

test.each([503, 403])(
  'an alert is sent again if its only channel has responded with %d for a day',
  async (status) => {
    service.respond('/one', { status });
    await changeReminders(server, account, { digest_enabled: false });
    await lock();
    await check(server);
    expect(await titlesAfterADay()).toEqual([lockedTitle]);
  },
);

test('an alert that one of two channels has accepted is not reported again after a day', async () => {
  await changeReminders(server, account, { digest_enabled: false, ...topic() });
  await lock();
  await check(server);
  expect(await titlesAfterADay()).toEqual([]);
  expect(service.received.filter(({ path }) => path === '/topic')).toHaveLength(1);
});

test('an alert that the ntfy server rejects is sent as soon as the topic was corrected', async () => {
  service.respond('/topic', { status: 401 });
  await changeReminders(server, account, {
    digest_enabled: false,
    push_enabled: false,
    ...topic(),
  });
  await lock();
  await check(server);
  await sendAll();
  await changeReminders(server, account, { ntfy_url: `${service.origin}/corrected` });
  for (let n = 0; n < 2; n += 1) {
    await sendAll();
    clock.advance(60 * minute);
    await check(server);
    expect(service.received.map(({ path }) => path)).toEqual(['/topic', '/corrected']);
  }
  expect(failures).toEqual(['ntfy 401']);
});

test('a late failure of the earlier topic is not shown once the new topic has accepted the message', async () => {
  const responds = deferred();
  service.respond('/topic', { status: 503, after: responds.promise });
  await changeReminders(server, account, {
    digest_enabled: false,
    push_enabled: false,
    ...topic(),
  });
  await lock();
  await check(server);
  const sender = senderOf(server, service);
  await sender.run();
  await service.arrived(1);
  await changeReminders(server, account, { ntfy_url: `${service.origin}/corrected` });
  await sendAll();
  expect(service.received.map(({ path }) => path)).toEqual(['/topic', '/corrected']);
  responds.resolve();
  await sender.whenIdle();
  const { channels } = (await requestAs(server, account)('GET', '/api/reminders')).json();
  expect(channels.ntfy).toEqual({ accepted_at: clock().toISOString(), problem: null });
});
