import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { keepServersWaiting } from '#server/database/migrate.ts';

test('a statement timeout of the database’s user ends no statement of a migration', async () => {
  const client = new pg.Client({
    ...inject('postgres'),
    database: 'postgres',
    statement_timeout: 100,
  });
  await client.connect();
  onTestFinished(() => client.end());
  await keepServersWaiting(client);
  await expect(client.query('SELECT pg_sleep(0.3)')).resolves.toMatchObject({ rowCount: 1 });
});
