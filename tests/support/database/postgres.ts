import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { migrateDatabase } from '#server/database/migrate.ts';
import type { SetupProject } from '../provided.ts';

/** How tests connect to PostgreSQL, with a user who may create databases. */
export interface TestPostgres {
  /** A host name, an IP address or the folder of a socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  /** Explicit, because the driver would otherwise follow PGSSLMODE. */
  ssl: false;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres;
    /** The other machines of a Citus cluster; none without CITUS_URL. */
    workers: TestPostgres[];
    /** The template's name. The names of all databases of this run begin with it. */
    templateDatabase: string;
    /** How PostgreSQL clones the template: file_copy is cheaper, but only if it need not wait for the disk. */
    cloneStrategy: 'wal_log' | 'file_copy';
  }
}

/**
 * One PostgreSQL for all test files, with a migrated template that each test clones. `isDurable`: it writes to the disk
 * as in production, which only benches need.
 */
export async function setup(
  project: SetupProject,
  { isDurable = false } = {},
): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const { postgres, stop } = await openPostgres(url, isDurable);
  const isFast = !url && !isDurable;
  if (isFast) await stopWaitingForDisk(postgres);
  const templateDatabase = `sprig_test_${process.pid}_${Date.now()}`;
  await asAdmin(postgres, `CREATE DATABASE ${templateDatabase} ENCODING 'UTF8' TEMPLATE template0`);
  const template = new pg.Pool({ ...postgres, database: templateDatabase });
  await migrateDatabase(template);
  await template.end();
  project.provide('postgres', postgres);
  project.provide('workers', []);
  project.provide('templateDatabase', templateDatabase);
  project.provide('cloneStrategy', isFast ? 'file_copy' : 'wal_log');
  return async () => {
    await dropAll([postgres], templateDatabase);
    await stop();
  };
}

interface OpenPostgres {
  postgres: TestPostgres;
  stop: () => Promise<void>;
}

/** The server of TEST_DATABASE_URL, otherwise an embedded one that stops with the run. */
async function openPostgres(url: string | undefined, isDurable: boolean): Promise<OpenPostgres> {
  if (url) return { postgres: serverOf(url), stop: async () => undefined };
  const dataDir = fs.mkdtempSync(
    path.join(isDurable ? os.tmpdir() : roomyFolder(), 'sprig-tests-'),
  );
  fs.chmodSync(dataDir, 0o755);
  const embedded = await openEmbedded({ dataDir });
  const { database: _, ...postgres } = embedded.connection;
  return {
    postgres,
    stop: async () => {
      await embedded.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const memoryFolder = '/dev/shm';
const roomBytes = 3 * 1024 ** 3;

/**
 * In memory if there is room: a clone has hundreds of files, and creating them on a disk can take half of a test's CPU.
 */
function roomyFolder(): string {
  if (!fs.existsSync(memoryFolder)) return os.tmpdir();
  const { bavail, bsize } = fs.statfsSync(memoryFolder);
  return bavail * bsize >= roomBytes ? memoryFolder : os.tmpdir();
}

/** The data directory is removed after the run, so it need not survive a power cut. */
async function stopWaitingForDisk(postgres: TestPostgres): Promise<void> {
  await asAdmin(postgres, 'ALTER SYSTEM SET fsync = off');
  await asAdmin(postgres, 'ALTER SYSTEM SET full_page_writes = off');
  await asAdmin(postgres, 'SELECT pg_reload_conf()');
}

export function serverOf(connectionString: string): TestPostgres {
  const { host, port, user, password } = new pg.Client({ connectionString });
  return { host, port, user: user ?? '', password: password ?? '', ssl: false };
}

/** The URL for a server's DATABASE_URL. */
export function addressOf({ host, port, user, password }: TestPostgres, database: string): string {
  const [who, where] = [encodeURIComponent(user), encodeURIComponent(host)];
  return `postgres://${who}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${where}`;
}

/** Drops all databases of the run, also those of failed tests, because an outside server would keep them. */
export async function dropAll(nodes: readonly TestPostgres[], prefix: string): Promise<void> {
  for (const node of nodes) {
    if (nodes.length > 1) await refuseConnections(node, `LIKE '${prefix}%'`);
    const { rows } = await asAdmin(node, 'SELECT datname FROM pg_database');
    for (const { datname } of rows as { datname: string }[]) {
      if (datname.startsWith(prefix)) await dropDatabase([node], datname);
    }
  }
}

const inUse = '55006';

/** On every machine, the coordinator first. */
export async function dropDatabase(nodes: readonly TestPostgres[], name: string): Promise<void> {
  for (const node of nodes) {
    if (nodes.length > 1) await refuseConnections(node, `= '${name}'`);
    for (let left = 20; left > 0; left -= 1) {
      const error = await asAdmin(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).then(
        () => null,
        (reason: pg.DatabaseError) => reason,
      );
      if (error === null) break;
      if (error.code !== inUse || left === 1) throw error;
    }
  }
}

/** For a cluster, whose own processes would otherwise connect again while a database is being dropped. */
async function refuseConnections(node: TestPostgres, names: string): Promise<void> {
  await asAdmin(node, `UPDATE pg_database SET datallowconn = false WHERE datname ${names}`);
}

export async function asAdmin(postgres: TestPostgres, statement: string): Promise<pg.QueryResult> {
  const admin = new pg.Client({ ...postgres, database: 'postgres' });
  await admin.connect();
  try {
    return await admin.query(statement);
  } finally {
    await admin.end();
  }
}
