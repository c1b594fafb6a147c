import fs from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTestDatabase } from '../../support/database/database.ts';

const folder = new URL('../../../src/server/database/migrations/', import.meta.url);
const migration = (start: string) => {
  const name = fs.readdirSync(folder).find((file) => file.startsWith(start)) ?? '';
  return fs.readFileSync(new URL(name, folder), 'utf8');
};

let client: pg.Client;
let place: Awaited<ReturnType<typeof makeTestDatabase>>;
beforeAll(async () => {
  place = await makeTestDatabase({ migrated: false });
  client = new pg.Client({ connectionString: place.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await place.drop();
});

test('the migration records a change of every plant of version 0.1, with the time of its newest reading', async () => {
  for (const start of ['0000', '0001', '0002', '0003', '0004'])
    await client.query(migration(start));
  await client.query(`
    INSERT INTO users (id, email, email_key, username, username_key, password_hash, created_at)
      VALUES (gen_random_uuid(), 'a@b.c', 'a@b.c', 'A', 'a', 'x', now());
    INSERT INTO plants (user_id, id, nickname, plant_name, category, species, watering_frequency,
        sunlight_requirements, fertilizer_schedule, auto_watering_enabled, date_added, next_watering_date)
      SELECT users.id, gen_random_uuid(), n::text, 'P', 'Indoor', 'S', 3, 'Medium', 'Monthly', false, now(), now()
      FROM users, generate_series(1, 2) n;
    INSERT INTO sensor_logs (user_id, plant_id, ts, temperature)
      SELECT user_id, id, '2026-11-20T08:00:00Z'::timestamptz - n * interval '1 hour', 20
      FROM plants, generate_series(0, 3) n WHERE nickname = '1'`);
  await client.query(migration('0005'));
  const { rows } = await client.query(`
    SELECT p.nickname, c.change, c.record_change, c.last_reading_at, c.deleted_at, k.last, k.forgotten
    FROM plants p JOIN plant_changes c ON c.plant_id = p.id JOIN change_counters k ON k.user_id = p.user_id
    ORDER BY p.nickname`);
  const state = { change: '1', record_change: '1', deleted_at: null, last: '1', forgotten: '0' };
  expect(rows).toEqual([
    { ...state, nickname: '1', last_reading_at: new Date('2026-11-20T08:00:00Z') },
    { ...state, nickname: '2', last_reading_at: null },
  ]);
});
