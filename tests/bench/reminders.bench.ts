import pg from 'pg';
import { databaseOver } from '#server/database/database.ts';
import { checkDueAccounts } from '#server/reminders/check/check-job.ts';
import type { Bench } from './support/bench.ts';
import { type Garden, growGarden } from './support/garden.ts';
import type { Part, Row } from './support/results.ts';
import { inMs } from './support/times.ts';

const counts = [1_000, 10_000] as const;
const plantsEach = 10;
const rows: Row[] = [];

let garden: Garden;
let client: pg.Client;
let postgresVersion = '';

async function open(): Promise<void> {
  // Without a server, whose own job would check some of the accounts.
  garden = await growGarden(10);
  client = new pg.Client({ connectionString: garden.url });
  await client.connect();
  const { rows: found } = await client.query<{ server_version: string }>('SHOW server_version');
  postgresVersion = found[0]?.server_version ?? '';
}

function section(): Part {
  return {
    title: 'Reminders',
    conditions: `PostgreSQL ${postgresVersion}. One run of the job over accounts whose digest is due, each with ${plantsEach} due
plants and one subscribed browser. Memory: heap in use after the run and a garbage collection, beyond that before it.`,
    rows,
  };
}

async function close(): Promise<void> {
  await client.end();
  await garden.drop();
}

/** Accounts whose digest is due now, with plants like those of the garden. */
async function addAccounts(count: number): Promise<void> {
  await client.query(
    `INSERT INTO users (id, email, email_key, username, username_key, password_hash, is_verified, created_at)
      SELECT id, id || '@example.org', id || '@example.org', id, id, '', true, now()
      FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)) made`,
    [count],
  );
  await client.query(
    `INSERT INTO reminder_settings (user_id, push_enabled, alerts_enabled, digest_minute, quiet_from_minute,
        quiet_to_minute, next_at)
      SELECT id, true, true, 0, 0, 0, now() - interval '1 minute' FROM users WHERE password_hash = ''
      ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO sessions (user_id, id, created_at, expires_at)
      SELECT id, id, now(), now() + interval '1 day' FROM users WHERE password_hash = '' ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth, account, created_at)
      SELECT id, id, 'https://fcm.googleapis.com/' || id, 'key', 'auth', 'sprig', now()
      FROM users WHERE password_hash = '' ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO plants SELECT (jsonb_populate_record(p, jsonb_build_object('user_id', u.id,
        'next_watering_date', now() - interval '1 hour', 'snoozed_until', NULL))).*
      FROM users u, (SELECT * FROM plants WHERE user_id = $1 ORDER BY id LIMIT $2) p
      WHERE u.password_hash = '' ON CONFLICT DO NOTHING`,
    [garden.reader.userId, plantsEach],
  );
  await client.query('ANALYZE users, plants, reminder_settings, push_subscriptions, sessions');
}

async function removeAccounts(): Promise<void> {
  await client.query(`DELETE FROM users WHERE password_hash = ''`);
}

interface Run {
  msPerAccount: number;
  cpuMsPerAccount: number;
  grownBytes: number;
}

async function checkAll(count: number): Promise<Run> {
  await addAccounts(count);
  const db = databaseOver(new pg.Pool({ connectionString: garden.url, max: 4 }));
  const failures: string[] = [];
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await checkDueAccounts({
    db,
    clock: () => new Date(),
    publicUrl: () => 'https://sprig.example.org',
    onFailure: (code) => void failures.push(code),
  });
  const ms = performance.now() - begun;
  const used = process.cpuUsage(cpu);
  globalThis.gc?.();
  const grownBytes = process.memoryUsage().heapUsed - heap;
  const { rows: found } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM reminder_deliveries d JOIN users u ON u.id = d.user_id AND u.password_hash = ''`,
  );
  await db.close();
  await removeAccounts();
  if (failures.length > 0) throw new Error(`the job failed: ${failures}`);
  if (found[0]?.count !== count) throw new Error(`${found[0]?.count} of ${count} digests`);
  return {
    msPerAccount: ms / count,
    cpuMsPerAccount: (used.user + used.system) / 1_000 / count,
    grownBytes,
  };
}

async function compareCounts(): Promise<void> {
  const [few, many] = counts;
  await checkAll(few);
  const small = await checkAll(few);
  const large = await checkAll(many);
  const against = `of ${few.toLocaleString('en')} accounts`;
  const what = `of ${many.toLocaleString('en')} accounts`;
  rows.push(
    {
      what: `digests ${what}: time for one account`,
      figure: inMs(large.msPerAccount),
      against: `${against}: ${inMs(small.msPerAccount)}`,
      ratio: `×${(large.msPerAccount / small.msPerAccount).toFixed(2)}`,
    },
    {
      what: `digests ${what}: CPU of the server for one account`,
      figure: inMs(large.cpuMsPerAccount),
      against: `${against}: ${inMs(small.cpuMsPerAccount)}`,
      ratio: `×${(large.cpuMsPerAccount / small.cpuMsPerAccount).toFixed(2)}`,
    },
    {
      what: `digests ${what}: heap that the run left`,
      figure: `${(large.grownBytes / 1_048_576).toFixed(1)} MiB`,
      against: `${against}: ${(small.grownBytes / 1_048_576).toFixed(1)} MiB`,
      ratio: '',
    },
  );
}

export const bench: Bench = { open, steps: [compareCounts], section, close };
