import fs from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseOver } from '#server/database/database.ts';
import { makeTestDatabase } from '../../support/database/database.ts';
import { testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import { cheapHasher, login, openTestApp } from '../../support/server/server.ts';

const folder = new URL('../../../src/server/database/migrations/', import.meta.url);
const migrations = fs
  .readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .sort();

let place: Awaited<ReturnType<typeof makeTestDatabase>>;
beforeAll(async () => {
  place = await makeTestDatabase({ migrated: false });
});
afterAll(() => place.drop());

test('the migration adds earlier waterings to the journal and sets the plant’s journal_version to 1, so that devices fetch it', async () => {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  const run = async (files: string[]) => {
    for (const file of files) await client.query(fs.readFileSync(new URL(file, folder), 'utf8'));
  };
  const journal = migrations.findIndex((file) => file.startsWith('0009'));
  await run(migrations.slice(0, journal));
  await client.query(
    `INSERT INTO users (id, email, email_key, username, username_key, password_hash, created_at, is_verified)
      VALUES (gen_random_uuid(), 'a@b.c', 'a@b.c', 'A', 'a', '${await cheapHasher.hash('secret-garden')}', now(), true);
    INSERT INTO plants (user_id, id, nickname, plant_name, category, species, watering_frequency, last_watered,
        sunlight_requirements, fertilizer_schedule, auto_watering_enabled, date_added, next_watering_date)
      SELECT id, gen_random_uuid(), 'Old', 'P', 'Indoor', 'S', 3, '2026-11-19T08:00Z', 'Medium', 'Monthly', false,
        now(), '2026-11-22T08:00Z' FROM users;
    INSERT INTO waterings (user_id, plant_id, id, watered_at, source, amount_ml)
      SELECT user_id, id, gen_random_uuid(), watered_at::timestamptz, source, 150 FROM plants,
        (VALUES ('2026-11-16T08:00Z', 'manual'), ('2026-11-19T08:00Z', 'auto')) old (watered_at, source)`,
  );
  await run(migrations.slice(journal));
  await client.end();

  const db = databaseOver(new pg.Pool({ connectionString: place.url }));
  const app = await openTestApp({ db, clock: testClock() });
  const request = requestAs({ app }, { token: await login(app, 'a@b.c', 'secret-garden') });
  const [plant] = (await request('GET', '/api/plants')).json();
  expect(plant).toMatchObject({ journal_version: 1, snoozed_until: null });
  const url = `/api/plants/${plant.id}/journal`;
  const { entries } = (await request('GET', url)).json();
  expect(entries).toMatchObject([
    { type: 'watered', source: 'auto', at: '2026-11-19T08:00:00.000Z', note: null },
    { type: 'watered', source: 'manual', at: '2026-11-16T08:00:00.000Z', amount_ml: 150 },
  ]);
  const removed = await request('DELETE', `${url}/${entries[1].id}`);
  expect(removed.json().last_watered).toBe('2026-11-19T08:00:00.000Z');
  await app.close();
  await db.close();
});
