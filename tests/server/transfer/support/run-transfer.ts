import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { databaseOver } from '#server/database/database.ts';
import { makeTestDatabase } from '../../../support/database.ts';
import { spawnServer } from '../../../support/server-process.ts';

export interface Ended {
  code: number | null;
  /** What it printed, line by line. */
  lines: string[];
  complaint: string;
}

export interface RunningTransfer {
  process: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts the built command as a separate process. */
export function startTransfer(dataDir: string, ...args: string[]): RunningTransfer {
  const command = [process.execPath, 'dist/transfer/main.js', ...args] as const;
  const child = spawnServer({ env: { DATA_DIR: dataDir }, command });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk) => {
      said[name] += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    lines: said.stdout.split('\n').filter(Boolean),
    complaint: said.stderr,
  }));
  return { process: child, ended };
}

export function runTransfer(dataDir: string, ...args: string[]): Promise<Ended> {
  return startTransfer(dataDir, ...args).ended;
}

export interface Target {
  name: string;
  url: string;
  rows: (text: string) => Promise<Record<string, unknown>[]>;
  /** How many rows a table holds; null: there is no such table. */
  count: (table: string) => Promise<number | null>;
  drop: () => Promise<void>;
}

/** An empty database on the PostgreSQL of the tests. */
export async function makeTarget(options?: { migrated: boolean }): Promise<Target> {
  const { name, url, drop } = await makeTestDatabase(options ?? { migrated: false });
  const db = databaseOver(new pg.Pool({ connectionString: url, max: 2 }), { close: drop });
  const rows = async (text: string) => (await db.pool.query(text)).rows;
  return {
    name,
    url,
    rows,
    count: async (table) => {
      const [found] = await rows(`SELECT to_regclass('${table}') AS found`);
      if (found?.found === null) return null;
      return Number((await rows(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
    },
    drop: () => db.close(),
  };
}
