import pg from 'pg';
import { inject } from 'vitest';
import { type Database, databaseOver } from '#server/db/database.ts';

let made = 0;

/** A migrated, empty database of its own; dropped when closed. */
export async function openTestDatabase(): Promise<Database> {
  const server = inject('postgres');
  made += 1;
  const database = `test_${process.pid}_${made}_${Date.now()}`;
  await asAdmin(`CREATE DATABASE ${database} TEMPLATE ${inject('templateDatabase')}`);
  return databaseOver(new pg.Pool({ ...server, database, max: 8 }), {
    close: () => asAdmin(`DROP DATABASE ${database} WITH (FORCE)`),
  });
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ ...inject('postgres'), database: 'postgres' });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
