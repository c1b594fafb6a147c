import pg from 'pg';
import { databaseOver } from '#server/database/database.ts';
import { makeTestDatabase } from '../../../support/database/database.ts';
import {
  type EndedCommand,
  type RunningCommand,
  startCommand,
} from '../../../support/run-command.ts';

export function startTransfer(dataDir: string, ...args: string[]): RunningCommand {
  return startCommand('transfer', { DATA_DIR: dataDir }, args);
}

export function runTransfer(dataDir: string, ...args: string[]): Promise<EndedCommand> {
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
