import pg from 'pg';
import { inject } from 'vitest';
import { type Database, databaseOver } from '#server/db/database.ts';

let made = 0;

/** A migrated, empty database of its own; dropped when closed. */
export async function openTestDatabase(): Promise<Database> {
  const { name, drop } = await makeTestDatabase();
  return databaseOver(new pg.Pool({ ...inject('postgres'), database: name, max: 8 }), {
    close: drop,
  });
}

/** A database that other processes may reach too; without a schema where it is to be made by them. */
export async function makeTestDatabase({ migrated = true } = {}): Promise<{
  name: string;
  url: string;
  drop: () => Promise<void>;
}> {
  made += 1;
  const template = migrated ? inject('templateDatabase') : "template0 ENCODING 'UTF8'";
  const name = `${inject('templateDatabase')}_${process.pid}_${made}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    name,
    url: urlOf(name),
    drop: () => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

function urlOf(database: string): string {
  const { host, port, user, password } = inject('postgres');
  const [who, where] = [encodeURIComponent(user), encodeURIComponent(host)];
  return `postgres://${who}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${where}`;
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
