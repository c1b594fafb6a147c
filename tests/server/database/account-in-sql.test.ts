import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PlantJournal } from '#contract/journal.ts';
import type { CommandResult, LogResponse } from '#contract/logs.ts';
import type { NewCalendar } from '#contract/settings/calendar.ts';
import type { AccountSession } from '#contract/settings/profile.ts';
import { deleteOldReadings } from '#server/readings/retention.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { plantPayload } from '../../support/factories.ts';
import { formOf, tinyJpeg } from '../../support/photos/jpeg.ts';
import { openPushService } from '../../support/reminders/push-service.ts';
import { changeReminders, check, senderOf, subscribe } from '../../support/reminders/reminders.ts';
import { follow } from '../../support/server/registration.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  login,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
/** Every table of account data: those whose primary key begins with the account id, and the accounts. */
let tables: string[];
const sent = vi.spyOn(pg.Client.prototype, 'query');
beforeAll(async () => {
  server = await openTestServer();
  // The tables are not distributed, but the server sends the same statements as to a cluster.
  server.db.isDistributed = true;
  const { rows } = await server.db.pool.query<{ name: string }>(
    `SELECT indrelid::regclass AS name FROM pg_index
      JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
      WHERE indisprimary AND attname = 'user_id'`,
  );
  tables = ['users', ...rows.map(({ name }) => name)];
  expect(tables.length).toBeGreaterThan(20);
});
afterAll(async () => {
  sent.mockRestore();
  await server.close();
});

/**
 * How often a statement reads or changes a table of account data. Inserts are not counted: they always contain the
 * account id.
 */
function tablesIn(text: string): number {
  const mentions =
    text.match(new RegExp(`\\b(from|join|update)\\s+"?(${tables.join('|')})"?\\b`, 'gi')) ?? [];
  return mentions.filter((mention) => !/^update set/i.test(mention)).length;
}

/** How often a statement names the account as a parameter. */
function accountsIn(text: string): number {
  return (text.match(/("user_id"|\buser_id|"users"\."id"|users WHERE id) = \$\d/g) ?? []).length;
}

test('every statement about an account contains the account id for each table, so that one machine of a cluster runs it', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const payload = plantPayload({ device_id: 'pot-1', auto_watering_enabled: true });
  const { id } = (await request('POST', '/api/plants', { payload, key: 'create' })).json();
  const made = await request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  const device = requestAs(server, made.json());
  const list = '/api/plants/with-latest-readings';
  const { etag } = (await request('GET', list)).headers;
  const journal = `/api/plants/${id}/journal`;
  const at = server.clock().toISOString();
  let command_results: CommandResult[] = [];
  for (const soil_humidity of [50, 51, 5, 4, 3, 2]) {
    server.clock.advance(4 * 60_000);
    const report = { soil_humidity, luminance: 5, command_results };
    const { commands } = (
      await device('POST', '/api/logs', { payload: report })
    ).json<LogResponse>();
    command_results = commands.map((command) => ({ id: command.id, status: 'failed' }));
  }
  for (let n = 0; n < 4; n += 1) {
    await request('POST', journal, { payload: { id: crypto.randomUUID(), type: 'watered', at } });
  }
  server.clock.advance(45 * 60_000);
  for (let n = 0; n < 4; n += 1) {
    server.clock.advance(4 * 60_000);
    await device('POST', '/api/logs', { payload: { soil_humidity: 3 } });
  }
  for (const type of ['watered', 'fertilized']) {
    const entry = { id: crypto.randomUUID(), type, at, note: null, amount_ml: null };
    await request('POST', journal, { payload: entry });
    const moved = { ...entry, at: server.clock().toISOString() };
    await request('PUT', `${journal}/${entry.id}`, { payload: moved });
    await request('DELETE', `${journal}/${entry.id}`);
    await request('POST', journal, { payload: entry });
  }
  await request('GET', `/api/journal?plants=${id}`);
  const photo = `/api/photos/${crypto.randomUUID()}`;
  const form = await formOf({ full: tinyJpeg(), small: tinyJpeg() });
  await request('PUT', `${photo}?plant_id=${id}&taken_at=${at}`, form);
  for (const url of [photo, `${photo}?size=small`, `/api/plants/${id}/photos`])
    await request('GET', url);
  expect((await request('DELETE', photo)).statusCode).toBe(200);
  const { entries } = (await request('GET', journal)).json<PlantJournal>();
  const reasons = entries.map(({ reason }) => reason);
  expect(reasons).toEqual(expect.arrayContaining(['pump_failed', 'runs_used']));
  const log = { plant_id: id, soil_humidity: 40 };
  await request('POST', '/api/logs', { payload: log, key: 'log' });
  await request('POST', '/api/logs', { payload: [log, { device_id: 'pot-1', temperature: 20 }] });
  await request('GET', list, { ifNoneMatch: String(etag), headers: { 'a-im': 'sprig-delta' } });
  await request('PUT', `/api/plants/${id}`, { payload });
  for (let n = 0; n < 2; n += 1) await request('POST', `/api/plants/${id}/water`, { key: 'water' });
  const pages = ['', `/${id}`, `/${id}/latest-readings`].map((path) => `/api/plants${path}`);
  const to = server.clock().toISOString();
  const series = ['2026-11-20', '2026-11-14', '2025-11-20'].map(
    (day) => `/series?from=${day}T00:00:00Z&to=${to}`,
  );
  const logs = ['', '/summary', ...series].map((path) => `/api/logs/plant/${id}${path}`);
  const { db, clock } = server;
  const onFailure = (code: string) => expect.fail(code);
  await rollUpReadings({
    db,
    clock: () => new Date(clock().getTime() + 2 * 86_400_000),
    onFailure,
  });
  await deleteOldReadings({ db, clock, keepDays: 1, onFailure });
  for (const url of [...pages, ...logs, '/api/device-tokens', '/auth/me'])
    await request('GET', url);
  await request('DELETE', `/api/device-tokens/${made.json().id}`);
  await request('DELETE', `/api/plants/${id}`);
  await login(server.app, account.email, account.password);
  await request('PATCH', '/auth/me', { payload: { username: 'Rosa', time_zone: 'Asia/Tokyo' } });
  const { url } = (await request('POST', '/api/calendar')).json<NewCalendar>();
  await request('PATCH', '/api/calendar', { payload: { is_per_plant: true } });
  expect((await request('GET', url.replace(publicUrl, ''))).statusCode).toBe(200);
  for (const method of ['GET', 'DELETE'] as const) await request(method, '/api/calendar');
  await remind(account);
  const changed = { email: 'new@example.org', password: account.password };
  await request('POST', '/auth/email', { payload: changed });
  const [confirmation] = await server.mailsTo(changed.email);
  expect(await follow(server, confirmation)).toContain('confirmed');
  const [session] = (await request('GET', '/auth/sessions')).json<AccountSession[]>();
  expect((await request('DELETE', `/auth/sessions/${session?.id}`)).statusCode).toBe(200);
  await request('DELETE', '/auth/sessions');
  const passwords = { password: account.password, new_password: 'another-garden' };
  expect((await request('POST', '/auth/password', { payload: passwords })).statusCode).toBe(200);
  await request('POST', '/auth/logout');
  const anybody = requestAs(server, null);
  await anybody('POST', '/auth/forgot-password', { payload: { username_or_email: changed.email } });
  const mail = (await server.mailsTo(changed.email)).at(-1);
  const token = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
  const reset = { payload: { token, password: 'another-garden' } };
  expect((await anybody('POST', '/auth/reset-password', reset)).statusCode).toBe(200);

  const statements = sent.mock.calls.map(([given]: unknown[]) =>
    typeof given === 'string' ? given : (given as pg.QueryConfig).text,
  );
  const different = [...new Set(statements)];
  expect(different.length).toBeGreaterThan(40);
  const unnamed = different.filter((text) => tablesIn(text) > accountsIn(text));
  // Only the queries by which jobs find accounts contain no account id; then the jobs work account by account.
  expect(unnamed.toSorted()).toEqual([
    'SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2',
    expect.stringContaining('FROM reminder_deliveries WHERE next_at <= $1'),
    expect.stringContaining('FROM reminder_settings WHERE next_at <= $1'),
  ]);
  const moved = different.filter((text) => /do update set.*"user_id" = \$/is.test(text));
  expect(moved).toEqual([]);
});

/** Everything that reads or changes reminders. */
async function remind(account: Account): Promise<void> {
  const request = requestAs(server, account);
  const changes = {
    mail_enabled: true,
    push_enabled: true,
    quiet_from: '00:00',
    quiet_to: '00:00',
  };
  for (let n = 0; n < 2; n += 1) {
    await changeReminders(server, account, changes);
    await subscribe(server, account, { origin: 'https://fcm.googleapis.com' });
  }
  await addPlant(server, account, { nickname: 'Monty', device_id: 'pot-2' });
  await server.db.pool.query(
    `UPDATE plants SET next_watering_date = $2, auto_watering_enabled = true, auto_watering_locked = true
      WHERE user_id = $1`,
    [account.userId, server.clock()],
  );
  await server.db.pool.query('UPDATE reminder_settings SET digest_from = NULL WHERE user_id = $1', [
    account.userId,
  ]);
  expect(await check(server)).toBe(true);
  for (const status of [503, 404]) {
    const service = await openPushService();
    service.respond('/one', { status });
    await server.db.pool.query('UPDATE push_subscriptions SET endpoint = $2 WHERE user_id = $1', [
      account.userId,
      `${service.origin}/one`,
    ]);
    const sender = senderOf(server, service);
    await sender.run();
    await sender.whenIdle();
    server.clock.advance(30_000);
    await service.close();
  }
  const open = 'SELECT 1 FROM reminder_deliveries WHERE user_id = $1';
  expect((await server.db.pool.query(open, [account.userId])).rowCount).toBe(0);
  await server.mailsTo(account.email);
  for (const channel of ['mail', 'push'] as const) {
    await request('POST', '/api/reminders/test', { payload: { channel } });
  }
  await request('GET', '/api/reminders');
  await request('DELETE', '/api/push-subscription');
}
