import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  changeReminders,
  check,
  deliveries,
  nextCheckOf,
  reminderClaims,
  setTimeZone,
  subscribe,
} from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const hour = 3_600_000;
const service = { origin: 'https://fcm.googleapis.com' };

let server: TestServer;
let clock: TestClock;
let account: Account;
/** 8 AM on Nov 20 in UTC+7. */
beforeEach(async () => {
  clock = testClock('2026-11-20T01:00:00.000Z');
  server = await openTestServer(clock);
  account = await server.addAccount();
  await changeReminders(server, account, { push_enabled: true, alerts_enabled: false });
  await subscribe(server, account, service);
});
afterEach(() => server.close());

/** Sets the clock, also back. */
function at(moment: string): void {
  clock.advance(Date.parse(moment) - clock().getTime());
}

/** A plant that is due at that moment. */
async function addDue(moment: string, changes: Parameters<typeof addPlant>[2] = {}) {
  const plant = await addPlant(server, account, changes);
  await server.db.pool.query(
    'UPDATE plants SET next_watering_date = $3 WHERE user_id = $1 AND id = $2',
    [account.userId, plant.id, moment],
  );
  return plant;
}

const titles = async () => (await deliveries(server)).map(({ title }) => title);

test('a digest comes once, at its hour, with the due plants', async () => {
  const monty = await addDue('2026-11-20T12:00:00Z', { nickname: 'Monty' });
  const fern = await addDue('2026-11-19T12:00:00Z', { nickname: 'Fern' });
  await addDue('2026-11-21T12:00:00Z', { nickname: 'Basil' });
  at('2026-11-20T01:59:59.999Z');
  await check(server);
  expect(await titles()).toEqual([]);
  at('2026-11-20T02:00:00.000Z');
  for (let n = 0; n < 3; n += 1) await check(server);
  const [delivery, ...others] = await deliveries(server);
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({
    user_id: account.userId,
    channel: 'push',
    title: '2 plants need water',
    body: 'Fern and Monty',
    expires_at: new Date('2026-11-20T17:00:00Z'),
    attempts: 0,
  });
  expect(JSON.parse(delivery?.data ?? '')).toMatchObject({
    kind: 'digest',
    tag: 'due-2026-11-20',
    path: '/dashboard/schedule',
    badge: 2,
    plants: [
      { id: fern.id, name: 'Fern' },
      { id: monty.id, name: 'Monty' },
    ],
  });
  expect(await reminderClaims(server, account.userId)).toEqual(['digest:2026-11-20']);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-21T02:00:00.000Z');
});

test('a digest comes again on the next day', async () => {
  await addDue('2026-11-19T12:00:00Z');
  for (const day of ['20', '21', '22']) {
    at(`2026-11-${day}T02:00:00Z`);
    await check(server);
  }
  expect(await titles()).toHaveLength(3);
});

test.each([
  ['without alerts', false],
  ['while alerts have the garden checked all day', true],
])(
  'if no plant is due there is no digest, and a due plant that is added later waits for the digest of the next day, %s',
  async (_, alerts_enabled) => {
    await changeReminders(server, account, { alerts_enabled });
    await addDue('2026-12-20T01:00:00Z', { device_id: 'pot-1' });
    at('2026-11-20T02:00:00Z');
    expect(await check(server)).toBe(false);
    await addDue('2026-11-20T01:00:00Z');
    at('2026-11-20T05:00:00Z');
    await check(server);
    expect(await titles()).toEqual([]);
    at('2026-11-21T02:00:00Z');
    expect(await check(server)).toBe(true);
    expect(await titles()).toHaveLength(1);
  },
);

test('a digest leaves out plants without reminders and snoozed plants, and respects reminder_days_before', async () => {
  const [off, soon, snoozed] = [
    await addDue('2026-11-19T12:00:00Z', { nickname: 'Off' }),
    await addDue('2026-11-22T12:00:00Z', { nickname: 'Soon' }),
    await addDue('2026-11-19T12:00:00Z', { nickname: 'Wet' }),
  ];
  const { pool } = server.db;
  const where = 'WHERE user_id = $1 AND id = $2';
  const change = (set: string, id: string) =>
    pool.query(`UPDATE plants SET ${set} ${where}`, [account.userId, id]);
  await change('reminder_enabled = false', off.id);
  await change('reminder_days_before = 2', soon.id);
  const entry = { id: crypto.randomUUID(), type: 'snoozed', at: clock().toISOString(), days: 3 };
  await requestAs(server, account)('POST', `/api/plants/${snoozed.id}/journal`, { payload: entry });
  at('2026-11-20T02:00:00Z');
  await check(server);
  expect(await titles()).toEqual(['Soon needs water soon']);
  const [delivery] = await deliveries(server);
  expect(JSON.parse(delivery?.data ?? '')).toMatchObject({ badge: 0, soonCount: 1 });
});

test('a server that was down at the hour of the digest sends it later, unless the quiet hours have begun', async () => {
  await addDue('2026-11-19T12:00:00Z');
  at('2026-11-20T13:59:59Z');
  await check(server);
  expect(await reminderClaims(server, account.userId)).toEqual(['digest:2026-11-20']);
  at('2026-11-21T14:00:00Z');
  await check(server);
  expect(await reminderClaims(server, account.userId)).toEqual(['digest:2026-11-20']);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-22T01:00:00.000Z');
  at('2026-11-22T02:00:00Z');
  await check(server);
  expect(await reminderClaims(server, account.userId)).toEqual([
    'digest:2026-11-20',
    'digest:2026-11-22',
  ]);
});

test('a digest that is turned on after its hour is first sent the next day, unless its hour is moved to later on the same day', async () => {
  await addDue('2026-11-19T12:00:00Z');
  await changeReminders(server, account, { digest_enabled: false });
  at('2026-11-20T07:00:00Z');
  await changeReminders(server, account, { digest_enabled: true });
  await check(server);
  expect(await titles()).toEqual([]);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-21T02:00:00.000Z');
  await changeReminders(server, account, { digest_time: '14:05' });
  await check(server);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-20T07:05:00.000Z');
  at('2026-11-20T07:05:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
});

test.each([
  ['the quiet hours that postpone it are shortened', '07:00', { quiet_to: '06:00' }],
  ['its time is moved', '09:00', { digest_time: '07:00', quiet_to: '06:00' }],
])(
  'a digest that is still to come is sent at once, and once, if %s to before now',
  async (_, digest_time, change) => {
    await addDue('2026-11-19T12:00:00Z');
    at('2026-11-20T14:30:00Z');
    await changeReminders(server, account, { digest_time });
    // 7:30 AM.
    at('2026-11-21T00:30:00Z');
    await check(server);
    expect(await titles()).toEqual([]);
    await changeReminders(server, account, change);
    await check(server);
    expect(await titles()).toHaveLength(1);
    await changeReminders(server, account, { digest_time: '20:00' });
    at('2026-11-21T13:00:00Z');
    await check(server);
    expect(await titles()).toHaveLength(1);
  },
);

test('a digest that is turned on with a time before now is first sent the next day', async () => {
  await addDue('2026-11-19T12:00:00Z');
  await changeReminders(server, account, { digest_enabled: false });
  at('2026-11-20T01:30:00Z');
  await changeReminders(server, account, { digest_enabled: true, digest_time: '08:15' });
  await check(server);
  expect(await titles()).toEqual([]);
  at('2026-11-21T01:15:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
});

test('an account that turned its last channel off is no longer checked', async () => {
  await addDue('2026-11-19T12:00:00Z');
  await changeReminders(server, account, { push_enabled: false });
  at('2026-11-20T02:00:00Z');
  await check(server);
  expect(await titles()).toEqual([]);
  expect(await nextCheckOf(server, account.userId)).toBeNull();
});

test('the digest of tomorrow, sent while the clock was a day ahead, does not replace that of today', async () => {
  await addDue('2026-11-19T12:00:00Z');
  at('2026-11-21T02:00:00Z');
  await check(server);
  at('2026-11-20T03:00:00Z');
  // Otherwise the next check is planned for a time after tomorrow's digest.
  await changeReminders(server, account, { alerts_enabled: true });
  await check(server);
  expect(await reminderClaims(server, account.userId)).toEqual([
    'digest:2026-11-20',
    'digest:2026-11-21',
  ]);
  expect(await titles()).toHaveLength(2);
});

test('no digest is repeated when the clock is set back by half an hour, and none is lost after the clock was ahead', async () => {
  await addDue('2026-11-10T12:00:00Z');
  at('2026-11-20T02:00:00Z');
  await check(server);
  at('2026-11-20T01:30:00Z');
  await check(server);
  at('2026-11-20T02:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
  at('2027-03-01T02:00:00Z');
  await check(server);
  expect(await reminderClaims(server, account.userId)).toEqual(['digest:2027-03-01']);
  at('2026-11-21T02:00:00Z');
  await check(server);
  expect(await reminderClaims(server, account.userId)).toEqual(['digest:2026-11-21']);
  at('2027-03-01T02:00:00Z');
  await check(server);
  expect(await reminderClaims(server, account.userId)).toEqual(['digest:2027-03-01']);
});

test.each([
  ['Pacific/Pago_Pago', '2026-11-20T20:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-20T19:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-20T03:30:00.000Z'],
])('in %s the digest is sent at %s', async (zone, moment) => {
  await addDue('2026-11-19T08:00:00Z');
  await setTimeZone(server, account.userId, zone);
  await check(server);
  expect(await titles()).toEqual([]);
  at(new Date(Date.parse(moment) - 1).toISOString());
  await check(server);
  expect(await titles()).toEqual([]);
  at(moment);
  await check(server);
  expect(await titles()).toHaveLength(1);
});

test.each([
  ['before summer time', '2026-03-28T08:00:00.000Z', '2026-03-29T07:00:00.000Z'],
  ['before winter time', '2026-10-24T07:00:00.000Z', '2026-10-25T08:00:00.000Z'],
])(
  'in Berlin, on the day %s, the next digest is scheduled for 9:00 local time',
  async (_, today, tomorrow) => {
    await setTimeZone(server, account.userId, 'Europe/Berlin');
    at(new Date(Date.parse(today) - hour).toISOString());
    await changeReminders(server, account, { digest_time: '09:01' });
    await changeReminders(server, account, { digest_time: '09:00' });
    at(today);
    await check(server);
    expect(await nextCheckOf(server, account.userId)).toBe(tomorrow);
  },
);

test('after a change to a time zone with an earlier date, a digest is sent each morning, even for a date that already had one', async () => {
  await addDue('2026-11-19T12:00:00Z');
  at('2026-11-20T02:00:00Z');
  await check(server);
  const payload = { time_zone: 'America/Los_Angeles' };
  await requestAs(server, account)('PATCH', '/auth/me', { payload });
  // 6:05 PM on Nov 19.
  at('2026-11-20T02:05:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-20T17:00:00.000Z');
  for (const [n, moment] of ['2026-11-20T17:00:00Z', '2026-11-21T17:00:00Z'].entries()) {
    at(moment);
    for (let run = 0; run < 2; run += 1) await check(server);
    expect(await titles()).toHaveLength(n + 2);
  }
});

test('after a change to a time zone across the date line, no second digest is sent on the same day', async () => {
  await addDue('2026-11-19T12:00:00Z');
  await setTimeZone(server, account.userId, 'Pacific/Kiritimati');
  for (const moment of ['2026-11-20T19:00:00Z', '2026-11-21T19:00:00Z']) {
    at(moment);
    await check(server);
  }
  expect(await titles()).toHaveLength(2);
  await requestAs(server, account)('PATCH', '/auth/me', {
    payload: { time_zone: 'Pacific/Honolulu' },
  });
  // 9:05 AM on Nov 21 in Honolulu. The last digest was sent five minutes ago, when it was Nov 22 in Kiritimati.
  at('2026-11-21T19:05:00Z');
  await check(server);
  expect(await titles()).toHaveLength(2);
  at('2026-11-22T19:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(3);
});

test('after a change to a time zone where it is still yesterday, the digest that was just sent is not sent again', async () => {
  await addDue('2026-11-18T12:00:00Z');
  // 8 AM on Nov 19 in Los Angeles. In UTC+7, which the account still has, the next digest is that of Nov 20.
  at('2026-11-19T16:00:00Z');
  await changeReminders(server, account, { digest_enabled: false });
  await changeReminders(server, account, { digest_enabled: true });
  at('2026-11-20T02:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
  const payload = { time_zone: 'America/Los_Angeles' };
  await requestAs(server, account)('PATCH', '/auth/me', { payload });
  // 6:05 PM on Nov 19.
  at('2026-11-20T02:05:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
  at('2026-11-20T17:00:00Z');
  for (let run = 0; run < 2; run += 1) await check(server);
  expect(await titles()).toHaveLength(2);
});

test('after a change to a time zone where it is already tomorrow, the next digest is that of the next day there', async () => {
  await addDue('2026-11-18T12:00:00Z');
  await setTimeZone(server, account.userId, 'America/Los_Angeles');
  at('2026-11-20T17:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
  const payload = { time_zone: 'Asia/Tokyo' };
  await requestAs(server, account)('PATCH', '/auth/me', { payload });
  // In Tokyo, the digest was sent at 2 AM on Nov 21.
  at('2026-11-21T00:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
  at('2026-11-22T00:00:00Z');
  for (let run = 0; run < 2; run += 1) await check(server);
  expect(await titles()).toHaveLength(2);
});

test('every subscribed browser gets a digest; a browser whose session has expired gets none', async () => {
  await addDue('2026-11-19T12:00:00Z');
  const login = { username_or_email: account.email, password: account.password };
  const opened = await requestAs(server, null)('POST', '/auth/login', { payload: login });
  const short = { token: opened.json().access_token };
  await subscribe(server, short, service, '/desk');
  at('2026-11-20T02:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(2);
  at('2026-11-21T02:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(3);
});

test('an error with one account is reported and does not delay other accounts', async () => {
  await addDue('2026-11-19T12:00:00Z');
  const broken = await server.addAccount();
  await changeReminders(server, broken, { mail_enabled: true });
  const { pool } = server.db;
  await pool.query("ALTER TABLE mail_outbox ADD CONSTRAINT no_mail CHECK (subject = '')");
  await addPlant(server, broken);
  await pool.query('UPDATE plants SET next_watering_date = $2 WHERE user_id = $1', [
    broken.userId,
    clock(),
  ]);
  at('2026-11-20T02:00:00Z');
  const failures: string[] = [];
  await check(server, failures);
  expect(failures).toEqual(['23514']);
  expect(await titles()).toHaveLength(1);
  expect(await reminderClaims(server, broken.userId)).toEqual([]);
  expect(await nextCheckOf(server, broken.userId)).toBe('2026-11-20T02:15:00.000Z');
  await pool.query('ALTER TABLE mail_outbox DROP CONSTRAINT no_mail');
  at('2026-11-20T02:15:00Z');
  await check(server);
  expect(await reminderClaims(server, broken.userId)).toEqual(['digest:2026-11-20']);
});
