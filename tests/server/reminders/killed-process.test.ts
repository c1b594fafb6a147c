import { once } from 'node:events';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { addressOf } from '../../support/database/postgres.ts';
import { openGate } from '../../support/database/postgres-gate.ts';
import { openPushService, type PushService } from '../../support/reminders/push-service.ts';
import { changeReminders, setTimeZone, subscribe } from '../../support/reminders/reminders.ts';
import { runningClock } from '../../support/server/clock.ts';
import { readEml } from '../../support/server/read-eml.ts';
import {
  addPlant,
  openTestServer,
  type TestServer,
  testSecret,
} from '../../support/server/server.ts';
import {
  type ServerProcess,
  spawnServer,
  startServer,
} from '../../support/server/server-process.ts';
import { openSmtpServer, type SmtpTestServer } from '../../support/server/smtp-server.ts';

const patience = { timeout: 45_000 };
const allChannels = { push: true, ntfy: true, mail: true };
type Channels = Partial<typeof allChannels>;

let server: TestServer;
let service: PushService;
let smtp: SmtpTestServer;
let smtpResponds: boolean;
let database: string;
const dataDir = reachableDataDir();
const processes: ServerProcess[] = [];
beforeEach(async () => {
  service = await openPushService();
  smtpResponds = true;
  smtp = await openSmtpServer({ responds: () => smtpResponds });
  const reminders = { pushOrigins: [service.origin], allowsPrivateNtfy: true };
  server = await openTestServer(runningClock(), { reminders });
  const { rows } = await server.db.pool.query('SELECT current_database() AS name');
  database = rows[0].name;
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.kill()));
  await server.close();
  await service.close();
  await smtp.close();
  await removeDataDir(dataDir);
});

/** An account that gets a digest and, if `hasAlert`, an alert now: its plant is due and its watering locked. */
async function addDueAccount(
  { push = false, ntfy = false, mail = false }: Channels,
  hasAlert = true,
): Promise<void> {
  const account = await server.addAccount();
  await setTimeZone(server, account.userId, zoneWhereItIsNoon());
  await changeReminders(server, account, {
    push_enabled: push,
    ntfy_enabled: ntfy,
    ntfy_url: `${service.origin}/topic`,
    mail_enabled: mail,
    alerts_enabled: hasAlert,
  });
  await subscribe(server, account, service);
  await addPlant(server, account, { nickname: 'Monty', device_id: 'pot-1' });
  const { pool } = server.db;
  await pool.query(
    `UPDATE plants SET next_watering_date = now(), auto_watering_enabled = true, auto_watering_locked = true
      WHERE user_id = $1`,
    [account.userId],
  );
  await pool.query(
    'UPDATE reminder_settings SET next_at = now(), digest_from = NULL WHERE user_id = $1',
    [account.userId],
  );
}

/** Names of the form Etc/GMT-5, which is UTC+5. */
function zoneWhereItIsNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  return behind === 0 ? 'Etc/GMT' : `Etc/GMT${behind > 0 ? '+' : ''}${behind}`;
}

function environment({ databaseUrl, smtpUrl }: { databaseUrl: string; smtpUrl: string }) {
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    JWT_SECRET: testSecret,
    PUSH_HOSTS: service.origin,
    NTFY_PRIVATE: '1',
    SMTP_URL: smtpUrl,
  };
}

const directUrl = () => addressOf(inject('postgres'), database);

/** Two processes, which compete for what is left. */
async function startTwo(): Promise<void> {
  const env = environment({ databaseUrl: directUrl(), smtpUrl: smtp.url });
  processes.push(...(await Promise.all([startServer({ env }), startServer({ env })])));
}

/** Waits until the transactions of a dead process have ended, then ends its claims, which otherwise last 30 s. */
async function expireClaims(): Promise<void> {
  const { pool } = server.db;
  const transactions = async () => {
    const text = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;
    return (await pool.query(text)).rowCount;
  };
  await expect.poll(transactions, patience).toBe(0);
  await pool.query('UPDATE reminder_deliveries SET next_at = now()');
  await pool.query('UPDATE mail_outbox SET next_at = now()');
}

/** How often each message has arrived: a push by its topic, an ntfy message by its text, a mail by its Message-ID. */
function arrivals(): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { path, headers, body } of service.received) {
    count(path === '/topic' ? `ntfy ${headers.title} ${body}` : `push ${headers.topic}`);
  }
  for (const { source } of smtp.received) {
    count(/^Message-ID: .*$/im.exec(readEml(source).headers)?.[0] ?? 'no Message-ID');
  }
  return counts;
}

async function untilAllIsSent(claims = 2): Promise<void> {
  const count = async (table: string) =>
    (await server.db.pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
  const open = async () => ({
    // The claims are counted first, because the three statements share no snapshot. Messages are queued in the same
    // transaction as their claims, so the later counts include them until they are sent.
    claims: await count('notices'),
    deliveries: await count('reminder_deliveries'),
    mails: await count('mail_outbox'),
  });
  await expect.poll(open, patience).toEqual({ claims, deliveries: 0, mails: 0 });
}

/**
 * Parts of SQL statements that the process sends in this order. It is killed when the last one has been passed on to
 * the database, before it learns the result.
 */
type Point = readonly [name: string, channels: Channels, texts: readonly string[]];

const check = 'lock-due-settings';
const nextCheck = 'UPDATE reminder_settings SET next_at';
const claim = 'UPDATE reminder_deliveries SET next_at';
const posts = { push: true, ntfy: true };
const points: Point[] = [
  ['before a claim is stored', allChannels, [check]],
  ['after a claim is stored', allChannels, ['INSERT INTO notices']],
  ['after deliveries are queued', allChannels, ['insert into "reminder_deliveries"']],
  ['after an email is queued', allChannels, ['insert into "mail_outbox"']],
  ['before the commit of a check', allChannels, [nextCheck]],
  ['at the commit of a check', allChannels, [nextCheck, 'COMMIT']],
  ['in the claim of deliveries', posts, [claim]],
  ['between the claim of deliveries and the first request', posts, [claim, 'COMMIT']],
  ['in the claim of an email', { mail: true }, ['update "mail_outbox"']],
  [
    'between the claim of an email and its sending',
    { mail: true },
    ['update "mail_outbox"', 'COMMIT'],
  ],
];

/** Starts a server, kills it at that point, and starts two others. */
async function killAt(texts: readonly string[]): Promise<void> {
  let passed = 0;
  const gate = await openGate(inject('postgres'), database, ({ text }) => {
    if (text.includes(texts[passed] ?? '')) passed += 1;
    return passed === texts.length;
  });
  const env = environment({ databaseUrl: gate.url, smtpUrl: smtp.url });
  const child = spawnServer({ env });
  await gate.shut;
  child.kill('SIGKILL');
  await once(child, 'exit');
  await gate.tearDown();
  await expireClaims();
  await startTwo();
}

test.each(points)(
  'killed %s: two processes started after that deliver each message once',
  { timeout: 120_000 },
  async (_, channels, texts) => {
    await addDueAccount(channels);
    await killAt(texts);
    await untilAllIsSent();
    const expected = 2 * Object.keys(channels).length;
    expect(Object.values(arrivals())).toEqual(Array(expected).fill(1));
  },
);

test('killed after an accepted email was deleted from the queue: the email is not sent again', async () => {
  // One email only: another one that is sent at the same time would be repeated.
  await addDueAccount({ mail: true }, false);
  await killAt(['update "mail_outbox"', 'delete from "mail_outbox" where "mail_outbox"."id"']);
  await untilAllIsSent(1);
  expect(Object.values(arrivals())).toEqual([1]);
}, 120_000);

test('killed while push requests have no response: only those are repeated, with the same topic', async () => {
  await addDueAccount(allChannels);
  service.respond('/one', 'hang');
  const env = environment({ databaseUrl: directUrl(), smtpUrl: smtp.url });
  const dying = await startServer({ env });
  // Two by push, and two to the topic.
  await service.arrived(4);
  const waiting = async () =>
    (await server.db.pool.query('SELECT channel FROM reminder_deliveries')).rows;
  await expect.poll(waiting, patience).toEqual([{ channel: 'push' }, { channel: 'push' }]);
  // An email that was accepted and not deleted yet would be sent again.
  const mails = async () => (await server.db.pool.query('SELECT 1 FROM mail_outbox')).rowCount;
  await expect.poll(mails, patience).toBe(0);
  await dying.kill();
  await expireClaims();
  service.respond('/one', { status: 201 });
  await startTwo();
  await untilAllIsSent();
  const counts = Object.entries(arrivals()).map(([name, count]) => [name.split(' ')[0], count]);
  // The server cannot know whether the pushes were accepted; a repeat has the same topic and replaces the first.
  expect(counts.toSorted()).toEqual([
    ['Message-ID:', 1],
    ['Message-ID:', 1],
    ['ntfy', 1],
    ['ntfy', 1],
    ['push', 2],
    ['push', 2],
  ]);
}, 120_000);

test('killed while the mail server has not responded: the emails are sent again with the same Message-ID', async () => {
  await addDueAccount({ mail: true });
  smtpResponds = false;
  const env = environment({ databaseUrl: directUrl(), smtpUrl: smtp.url });
  const dying = await startServer({ env });
  await expect.poll(() => smtp.received.length, patience).toBe(2);
  await dying.kill();
  await expireClaims();
  smtpResponds = true;
  await startTwo();
  await untilAllIsSent();
  expect(Object.values(arrivals())).toEqual([2, 2]);
}, 120_000);
