import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensureAccount, findAccount } from '#server/accounts/sign-in-names.ts';
import { databaseOver } from '#server/database/database.ts';
import { migrateDatabase } from '#server/database/migrate.ts';
import { transaction } from '#server/database/transaction.ts';
import { removeDataDir } from '../../support/database/data-dir.ts';
import { openGate } from '../../support/database/postgres-gate.ts';
import { provided } from '../../support/provided.ts';
import { startServer } from '../../support/server/server-process.ts';
import { signIn, signUp } from '../../support/server/sign-up.ts';
import { runDistribute, startDistribute } from '../distribute/support/run-distribute.ts';
import { fillDataDir, requestWith, whatIsSeen } from '../transfer/support/filled-data-dir.ts';
import { runTransfer } from '../transfer/support/run-transfer.ts';
import { type OwnCluster, openOwnCluster } from './support/own-cluster.ts';

const migrations = new URL('../../../src/server/database/migrations/', import.meta.url);
const secret = 'a secret that is long enough for tests';
const rosa = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };

// Each test makes a database on every machine, and several distribute it twice.
vi.setConfig({ testTimeout: 120_000 });

let cluster: OwnCluster;
beforeEach(async () => {
  cluster = await openOwnCluster({ isDistributed: false });
});
afterEach(() => cluster.close());

async function withPool<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: cluster.url });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const migrate = (folder?: string) => withPool((pool) => migrateDatabase(pool, folder));

/** An account with a plant and readings, in a database that is not distributed. */
async function fill(): Promise<void> {
  await withPool(async (pool) => {
    const db = databaseOver(pool);
    const person = { ...rosa, passwordHash: 'x', id: crypto.randomUUID(), createdAt: new Date() };
    await transaction(db, (tx) => ensureAccount(tx, person));
    await pool.query(
      `INSERT INTO plants (user_id, id, nickname, plant_name, category, species, watering_frequency,
        sunlight_requirements, fertilizer_schedule, auto_watering_enabled, date_added, next_watering_date)
      SELECT id, gen_random_uuid(), 'Rosé', 'P', 'Indoor', 'S', 3, 'Medium', 'Monthly', false, now(), now() FROM users`,
    );
    await pool.query(
      `INSERT INTO sensor_logs (user_id, plant_id, ts, temperature)
      SELECT user_id, id, now() - n * interval '1 minute', n FROM plants, generate_series(1, 5000) n`,
    );
  });
}

const kinds = () =>
  cluster.rows(
    `SELECT citus_table_type AS type, count(*)::int AS tables FROM citus_tables GROUP BY 1 ORDER BY 1`,
  );
/** Tables that stay on the coordinator; only the first two are in Citus's metadata. All others are distributed. */
const ofCoordinator = ['mail_outbox', 'sign_in_names', 'rate_limits', 'server_keys'];
const isDistributed = (tables: number) => [
  { type: 'distributed', tables },
  { type: 'local', tables: 2 },
];

async function countTablesOfAccounts(): Promise<number> {
  const [found] = await cluster.rows(
    `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1)`,
    [ofCoordinator],
  );
  return Number(found?.n);
}

async function expectFilled(): Promise<void> {
  expect(await cluster.rows('SELECT count(*)::int AS n FROM sensor_logs')).toEqual([{ n: 5_000 }]);
  const found = await withPool((pool) => findAccount(databaseOver(pool).orm, rosa.email));
  expect(found?.email).toBe(rosa.email);
}

test('an empty database is migrated and distributed, and a second run finds nothing to do', async () => {
  const look = await runDistribute(cluster.url, '--check');
  expect([look.code, look.stderr]).toEqual([0, '']);
  expect(await kinds()).toEqual([]);
  const first = await runDistribute(cluster.url);
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(await kinds()).toEqual(isDistributed(await countTablesOfAccounts()));
  const second = await runDistribute(cluster.url);
  expect([second.code, second.lines.at(-1)]).toEqual([0, 'Everything is distributed already.']);
  expect((await runDistribute(cluster.url, '--check')).lines).toContain(
    'Everything is distributed.',
  );
});

test('a database of another program, of an older version, or without workers is refused', async () => {
  await cluster.rows('CREATE TABLE tulips (id int)');
  expect(await runDistribute(cluster.url)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('tables of another program (tulips)'),
  });
  await cluster.rows('DROP TABLE tulips');
  await migrate();
  await cluster.rows(
    'DELETE FROM drizzle.__drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM drizzle.__drizzle_migrations)',
  );
  expect(await runDistribute(cluster.url)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('the tables of an older version; missing migrations: 1'),
  });
  for (const { host, port } of cluster.workers) {
    await cluster.rows('SELECT citus_remove_node($1, $2)', [host, port]);
  }
  expect(await runDistribute(cluster.url)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('The cluster has no worker.'),
  });
});

test('distributing is refused while two servers write, and they keep working', async () => {
  await migrate();
  const env = { DATABASE_URL: cluster.url, JWT_SECRET: secret };
  const servers = await Promise.all([startServer({ env }), startServer({ env })]);
  const [one, other] = servers;
  if (!one || !other) throw new Error('no server');
  await signUp(one, rosa, servers);
  let isStopping = false;
  let writes = 0;
  const writing = servers.map(async ({ url }) => {
    const request = requestWith(url, await signIn(url, rosa));
    while (!isStopping) {
      await request('POST', '/api/plants', {
        body: { nickname: 'A', plant_name: 'A', species: 'A', watering_frequency: 1 },
      });
      writes += 1;
    }
  });
  await expect.poll(() => writes).toBeGreaterThan(10);
  const refused = await runDistribute(cluster.url);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toMatch(
    /^Other connections to the database are open \(\d+\)\. Stop every server/,
  );
  const before = writes;
  await expect.poll(() => writes).toBeGreaterThan(before + 10);
  isStopping = true;
  await Promise.all(writing);
  expect(await kinds()).toEqual([]);
  expect(await cluster.rows('SELECT count(*)::int AS n FROM plants')).toEqual([{ n: writes }]);
  await Promise.all(servers.map((server) => server.kill()));
});

test.each([
  ['as it connects', () => true],
  ['as it locks the tables', (text: string) => text.includes('LOCK TABLE')],
  ['as it drops keys', (text: string) => text.includes('DROP CONSTRAINT')],
  ['as it drops indexes', (text: string) => text.includes('DROP INDEX')],
  ['as it distributes users', (text: string) => text.includes("create_distributed_table('users'")],
  [
    'as it distributes the others',
    (text: string) => text.includes("create_distributed_table($1, 'user_id'"),
  ],
  ['as it places functions', (text: string) => text.includes('create_distributed_function')],
  [
    'as it places the tables of the coordinator',
    (text: string) => text.includes('citus_add_local_table'),
  ],
  ['as it adds keys', (text: string) => text.includes('ADD CONSTRAINT')],
  ['as it commits', (text: string) => text.includes('COMMIT\0')],
  ['as it frees room', (text: string) => text.includes('truncate_local_data')],
])(
  'a run that is killed %s has distributed everything or nothing, and a second run completes it',
  async (_, isMoment) => {
    await migrate();
    await fill();
    const gate = await openGate(provided('postgres'), cluster.name, ({ text }) => isMoment(text));
    const first = startDistribute(gate.url);
    await gate.shut;
    first.process.kill('SIGKILL');
    await first.ended;
    await gate.tearDown();
    await expect
      .poll(() =>
        cluster.rows("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4077921"),
      )
      .toEqual([]);
    const distributed = isDistributed(await countTablesOfAccounts());
    expect([[], distributed]).toContainEqual(await kinds());
    await expectFilled();
    const second = await runDistribute(cluster.url);
    expect([second.code, second.stderr]).toEqual([0, '']);
    expect(await kinds()).toEqual(distributed);
    await expectFilled();
  },
);

test('a transfer into a distributed database moves everything, and servers work on it', async () => {
  const garden = await fillDataDir();
  expect((await runDistribute(cluster.url)).code).toBe(0);
  const moved = await runTransfer(garden.dataDir, '--to', cluster.url);
  expect([moved.code, moved.stderr]).toEqual([0, '']);
  const again = await runTransfer(garden.dataDir, '--to', cluster.url);
  expect(again.lines).toContain('users: 1 row there already, checked');
  const jwt = fs.readFileSync(path.join(garden.dataDir, 'token-secret'), 'utf8').trim();
  const server = await startServer({ env: { DATABASE_URL: cluster.url, JWT_SECRET: jwt } });
  expect(await whatIsSeen(server.url, garden.token, garden.plantId)).toEqual(garden.seen);
  const replayed = await requestWith(server.url, garden.token)(
    'POST',
    `/api/plants/${garden.plantId}/water?amount=150`,
    { key: 'watered' },
  );
  expect(replayed).toBe(garden.watered);
  await requestWith(server.url, garden.deviceToken)('POST', '/api/logs', {
    body: { soil_humidity: 40 },
  });
  await server.kill();
  await removeDataDir(garden.dataDir);
});

/**
 * Creates a folder with the migrations of this version and one more that executes `statements`, like the folder of a
 * later version. Returns its path.
 */
function withNextMigration(statements: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-migrations-'));
  fs.cpSync(migrations, folder, { recursive: true });
  const file = path.join(folder, 'meta/_journal.json');
  const journal = JSON.parse(fs.readFileSync(file, 'utf8'));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next' });
  fs.writeFileSync(file, JSON.stringify(journal));
  fs.writeFileSync(path.join(folder, 'next.sql'), statements);
  return folder;
}

const newTable = `CREATE TABLE "notes" ("user_id" uuid NOT NULL, "plant_id" uuid NOT NULL, "id" uuid NOT NULL, "text" text,
    CONSTRAINT "notes_pk" PRIMARY KEY ("user_id", "plant_id", "id"));
  --> statement-breakpoint
  ALTER TABLE "notes" ADD CONSTRAINT "notes_plants_fk" FOREIGN KEY ("user_id", "plant_id")
    REFERENCES "plants" ("user_id", "id") ON DELETE cascade;
  --> statement-breakpoint
  ALTER TABLE "plants" ADD COLUMN "pot_size" double precision;
  --> statement-breakpoint
  INSERT INTO "notes" SELECT user_id, id, gen_random_uuid(), nickname FROM plants;`;

test('a table of account data that an update adds is distributed, and its rows are deleted with their plant', async () => {
  await migrate();
  await fill();
  expect((await runDistribute(cluster.url)).code).toBe(0);
  const before = await countTablesOfAccounts();
  const folder = withNextMigration(newTable);
  await migrate(folder);
  await migrate(folder);
  expect(await kinds()).toEqual(isDistributed(before + 1));
  expect(await cluster.rows('SELECT text FROM notes')).toEqual([{ text: 'Rosé' }]);
  await cluster.rows('DELETE FROM plants');
  expect(await cluster.rows('SELECT text FROM notes')).toEqual([]);
  fs.rmSync(folder, { recursive: true });
});
