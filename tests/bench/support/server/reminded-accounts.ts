import type pg from 'pg';
import { pushBrowser } from '../../../support/reminders/push-browser.ts';

interface Crowd {
  count: number;
  plantsEach: number;
  /** An account whose plants are copied. */
  plantsOf: string;
  /** The push service's origin. The path of an account's endpoint is the account's id. */
  origin: string;
}

/** Adds accounts whose digest is due now, each with one subscribed browser. An empty password hash marks them. */
export async function addRemindedAccounts(
  client: pg.Client,
  { count, plantsEach, plantsOf, origin }: Crowd,
): Promise<void> {
  await client.query(
    `INSERT INTO users (id, email, email_key, username, username_key, password_hash, is_verified, created_at)
      SELECT id, id || '@example.org', id || '@example.org', id, id, '', true, now()
      FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)) made`,
    [count],
  );
  await client.query(
    `INSERT INTO reminder_settings (user_id, push_enabled, alerts_enabled, digest_minute, quiet_from_minute,
        quiet_to_minute, next_at)
      SELECT id, true, true, 0, 0, 0, now() - interval '1 minute' FROM users WHERE password_hash = ''`,
  );
  await client.query(
    `INSERT INTO sessions (user_id, id, created_at, expires_at)
      SELECT id, id, now(), now() + interval '1 day' FROM users WHERE password_hash = ''`,
  );
  const { keys } = pushBrowser().subscription;
  await client.query(
    `INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth, account, created_at)
      SELECT id, id, $1 || '/' || id, $2, $3, 'sprig', now() FROM users WHERE password_hash = ''`,
    [origin, keys.p256dh, keys.auth],
  );
  await client.query(
    `INSERT INTO plants SELECT (jsonb_populate_record(s.plant, jsonb_build_object('user_id', u.id,
        'next_watering_date', now() - interval '1 hour', 'snoozed_until', NULL))).*
      FROM users u, (SELECT p AS plant FROM plants p WHERE user_id = $1 ORDER BY id LIMIT $2) s
      WHERE u.password_hash = ''`,
    [plantsOf, plantsEach],
  );
  await client.query('ANALYZE users, plants, reminder_settings, push_subscriptions, sessions');
}

export async function removeRemindedAccounts(client: pg.Client): Promise<void> {
  await client.query(`DELETE FROM users WHERE password_hash = ''`);
}
