import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '#server/db/embedded/open-embedded.ts';
import { migrateDatabase } from '#server/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string; password: string };
    templateDatabase: string;
  }
}

const templateDatabase = 'sprig_template';

/** One PostgreSQL for all test files, with a migrated template that each test clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-tests-'));
  fs.chmodSync(dataDir, 0o755);
  const postgres = await openEmbedded({ dataDir });
  const { host, user, password } = postgres.connection;
  const admin = new pg.Client({ host, user, password, database: 'postgres' });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${templateDatabase}`);
  await admin.end();
  const template = new pg.Pool({ host, user, password, database: templateDatabase });
  await migrateDatabase(template);
  await template.end();
  project.provide('postgres', { host, user, password });
  project.provide('templateDatabase', templateDatabase);
  return async () => {
    await postgres.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}
