import { afterAll, expect, test } from 'vitest';
import { databaseOver, openPool } from '#server/database/database.ts';
import { readConfig } from '#server/start/config.ts';
import { openServer } from '#server/start/open-server.ts';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { makeTestDatabase } from '../../support/database/database.ts';
import { testSecret } from '../../support/server/server.ts';

const dataDir = reachableDataDir();
afterAll(() => removeDataDir(dataDir));

test('only a start with AFTER_RESTORE=1 gives all plants and journals versions that no device has seen', async () => {
  const { url, drop } = await makeTestDatabase();
  const outside = databaseOver(openPool({ connectionString: url }), { close: drop });
  const versionsAfterStart = async (settings: Record<string, string>) => {
    const fixed = { DATABASE_URL: url, JWT_SECRET: testSecret, DATA_DIR: dataDir, DEMO: '1' };
    const { app, notes } = await openServer(readConfig({ ...fixed, ...settings }), null);
    const isNoted = notes.some((note) => note.startsWith('AFTER_RESTORE: '));
    expect(isNoted).toBe('AFTER_RESTORE' in settings);
    const { rows } = await outside.pool.query<{ version: number; journal_version: number }>(
      'SELECT version, journal_version FROM plants ORDER BY id',
    );
    await app.close();
    return rows;
  };
  const before = await versionsAfterStart({});
  expect(before.length).toBeGreaterThan(0);
  const renewed = before.map((plant) => ({
    version: plant.version + 1_000_000,
    journal_version: plant.journal_version + 1_000_000,
  }));
  expect(await versionsAfterStart({ AFTER_RESTORE: '1' })).toEqual(renewed);
  expect(await versionsAfterStart({})).toEqual(renewed);
  await outside.close();
});
