import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requireNobodyElse } from '#server/distribute/cluster.ts';
import { makeTestDatabase } from '../../support/database/database.ts';

let place: Awaited<ReturnType<typeof makeTestDatabase>>;
let client: pg.Client;
let other: pg.Client;
beforeEach(async () => {
  place = await makeTestDatabase({ migrated: false });
  client = new pg.Client({ connectionString: place.url });
  other = new pg.Client({ connectionString: place.url });
  await Promise.all([client.connect(), other.connect()]);
});
afterEach(async () => {
  await Promise.all([client.end(), other.end()]);
  await place.drop();
});

const refusal = /^Other connections to the database are open \(1\)\. Stop every server/;

test('distributing is refused if another connection to the database stays open', async () => {
  await expect(requireNobodyElse(client)).rejects.toThrow(refusal);
});

test('distributing is not refused after the other connection has ended, even in a transaction that began earlier', async () => {
  await client.query('BEGIN');
  const { rows } = await client.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  expect(rows).toHaveLength(1);
  await other.end();
  await requireNobodyElse(client);
});
