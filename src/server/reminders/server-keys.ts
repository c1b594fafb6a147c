import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import webPush from 'web-push';
import type { Database } from '../database/database.ts';

/** The key pair by which push services recognize this server. Another pair would invalidate every subscription. */
export interface VapidKeys {
  /** base64url, like the private one */
  publicKey: string;
  privateKey: string;
}

const vapidKeysSchema = v.object({ publicKey: v.string(), privateKey: v.string() });

export interface ServerKeys {
  vapid: VapidKeys;
  /** Makes the links that end emails. */
  unsubscribe: string;
}

const known = new WeakMap<Database['pool'], Promise<ServerKeys>>();

/** The server's keys, the same in all processes of a database. Made by whichever process needs them first. */
export function serverKeys(db: Pick<Database, 'pool'>): Promise<ServerKeys> {
  const loaded = known.get(db.pool) ?? loadKeys(db);
  known.set(db.pool, loaded);
  // After an error the next call tries again.
  loaded.catch(() => known.delete(db.pool));
  return loaded;
}

async function loadKeys(db: Pick<Database, 'pool'>): Promise<ServerKeys> {
  const vapid = await keyOf(db, 'vapid', () => JSON.stringify(webPush.generateVAPIDKeys()));
  const unsubscribe = await keyOf(db, 'unsubscribe', () => randomBytes(32).toString('base64url'));
  return { vapid: v.parse(vapidKeysSchema, JSON.parse(vapid)), unsubscribe };
}

/** The stored key. Processes that start together agree on one, because only the first one is stored. */
async function keyOf(
  { pool }: Pick<Database, 'pool'>,
  name: string,
  make: () => string,
): Promise<string> {
  const stored = async () => {
    const text = 'SELECT value FROM server_keys WHERE name = $1';
    return (await pool.query<{ value: string }>(text, [name])).rows[0]?.value;
  };
  const found = await stored();
  if (found !== undefined) return found;
  await pool.query(
    'INSERT INTO server_keys (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    [name, make()],
  );
  const agreed = await stored();
  if (agreed === undefined) throw new Error(`the key ${name} was not stored`);
  return agreed;
}
