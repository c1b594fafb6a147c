import { Client } from 'pg';
import { connectionTo } from '#embedded-postgres/app-database.ts';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { readPassword } from '#embedded-postgres/cluster/ensure-cluster.ts';
import { livePostmaster } from '#embedded-postgres/process/live-postmaster.ts';

export interface StoredPlant {
  id: string;
  plant_name: string;
  description: string | null;
  version: number;
  last_watered: Date | null;
  next_watering_date: Date;
  watering_frequency: number;
}

/** Everything that a kill could have left incomplete. */
export interface Stored {
  plants: StoredPlant[];
  keys: { key: string; status: number | null; body: string | null }[];
  waterings: { plant_id: string; amount_ml: number; watered_at: Date }[];
  logs: { plant_id: string; ts: Date }[];
}

/** Reads directly from the PostgreSQL of the data folder, without the server. */
export async function readStored(dataDir: string): Promise<Stored> {
  const files = clusterFiles(dataDir);
  const socket = livePostmaster(files.data)?.socketFolder ?? '';
  const client = new Client(connectionTo(socket, readPassword(files)));
  await client.connect();
  try {
    const rows = async (text: string) => (await client.query(text)).rows;
    // One snapshot, so that a concurrent change of the running server is read completely or not at all.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return {
      plants: await rows('SELECT * FROM plants'),
      keys: await rows('SELECT key, status, body FROM idempotency_keys'),
      waterings: await rows('SELECT plant_id, amount_ml, watered_at FROM waterings'),
      logs: await rows('SELECT plant_id, ts FROM sensor_logs'),
    };
  } finally {
    await client.end();
  }
}
