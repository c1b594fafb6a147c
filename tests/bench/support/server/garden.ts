import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { argon2Hasher } from '#server/accounts/password.ts';
import { users } from '#server/accounts/schema.ts';
import { databaseOver, openPool } from '#server/database/database.ts';
import { deviceTokens } from '#server/devices/schema.ts';
import { plants } from '#server/plants/schema.ts';
import { makeTestDatabase } from '../../../support/database/database.ts';
import { plantPayload } from '../../../support/factories.ts';

const password = 'secret-garden';

/** A database with three accounts: one to read plants' readings, one whose devices report, one with many plants. */
export interface Garden {
  name: string;
  url: string;
  reader: Gardener;
  owner: Gardener & { devices: Device[] };
  /** Has 1,000 plants. */
  collector: Gardener;
  drop: () => Promise<void>;
}

export interface Gardener {
  userId: string;
  username: string;
  email: string;
  password: string;
  passwordHash: string;
  plantIds: string[];
}

export interface Device {
  deviceId: string;
  token: string;
}

/**
 * Creates a garden with a reading every five minutes: `readingsEach` for each of the reader's 50 plants, 288 for each
 * of the owner's 500, 24 for each of the collector's 1,000.
 */
export async function createGarden(readingsEach: number): Promise<Garden> {
  const { name, url, drop } = await makeTestDatabase();
  const db = databaseOver(openPool({ connectionString: url, max: 2 }));
  try {
    const reader = await addGardener(db.orm, 'reader', 50);
    const owner = await addGardener(db.orm, 'owner', 500);
    const collector = await addGardener(db.orm, 'collector', 1_000);
    const devices = owner.plantIds.map((_, i) => deviceOf(i));
    await db.orm.insert(deviceTokens).values(
      devices.map(({ deviceId, token }) => ({
        userId: owner.userId,
        id: uuidv7(),
        deviceId,
        tokenHash: createHash('sha256').update(token).digest('base64url'),
        createdAt: new Date(),
      })),
    );
    await addReadings(db.pool, reader.userId, readingsEach);
    await addReadings(db.pool, owner.userId, readingsOfDay);
    await addReadings(db.pool, collector.userId, 24);
    await addChanges(db.pool);
    await db.pool.query('VACUUM ANALYZE');
    return { name, url, reader, collector, owner: { ...owner, devices }, drop };
  } finally {
    await db.close();
  }
}

const readingsOfDay = 288;

type Orm = ReturnType<typeof databaseOver>['orm'];

async function addGardener(orm: Orm, username: string, plantCount: number): Promise<Gardener> {
  const [userId, email] = [uuidv7(), `${username}@example.org`];
  const passwordHash = await argon2Hasher.hash(password);
  const account = { email, emailKey: email, username, usernameKey: username, passwordHash };
  const [isVerified, now] = [true, new Date()];
  await orm.insert(users).values({ id: userId, ...account, isVerified, createdAt: now });
  const rows = Array.from({ length: plantCount }, (_, i) => ({
    ...plantPayload({ nickname: `Plant ${i}`, luminance_threshold_min: 1_000 }),
    userId,
    id: uuidv7(),
    device_id: deviceOf(i).deviceId,
    date_added: now,
    next_watering_date: now,
    health_status: 'Good' as const,
  }));
  await orm.insert(plants).values(rows);
  return { userId, username, email, password, passwordHash, plantIds: rows.map(({ id }) => id) };
}

function deviceOf(i: number): Device {
  return { deviceId: `device-${i}`, token: `sprig_${randomBytes(32).toString('base64url')}` };
}

/** Adds the rows that the migration 0005_plant_changes adds for existing plants and their readings. */
async function addChanges(pool: pg.Pool): Promise<void> {
  await pool.query('INSERT INTO change_counters (user_id, last) SELECT id, 1 FROM users');
  await pool.query(`INSERT INTO plant_changes (user_id, plant_id, change, record_change, last_reading_at)
    SELECT p.user_id, p.id, 1, 1, (SELECT max(ts) FROM sensor_logs l WHERE l.user_id = p.user_id AND l.plant_id = p.id)
    FROM plants p`);
}

/** Adds readings in the order of their times, as devices would have sent them. */
async function addReadings(pool: pg.Pool, userId: string, readingsEach: number): Promise<void> {
  // Generated in this order, because sorting millions of rows would take longer than storing them.
  const text = `INSERT INTO sensor_logs
    SELECT $1, p.id, now() - p.n * interval '5 minutes', 35 + p.n % 30, 45 + p.n % 10, 18 + p.n % 8,
      CASE WHEN p.n % 288 < 144 THEN 2000 + p.n % 3000 ELSE 0 END
    FROM generate_series($2::int, 1, -1) step
      CROSS JOIN LATERAL (SELECT id, step AS n FROM plants WHERE user_id = $1 ORDER BY id) p`;
  const client = await pool.connect();
  try {
    const { rows } = await client.query(
      'SELECT rolsuper FROM pg_roles WHERE rolname = current_user',
    );
    await client.query('BEGIN');
    // Every plant exists, so a superuser can skip the check of the foreign key for millions of rows.
    if (rows[0]?.rolsuper) await client.query('SET LOCAL session_replication_role = replica');
    await client.query(text, [userId, readingsEach]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
