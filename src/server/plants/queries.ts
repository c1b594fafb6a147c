import type { Database } from '../database/database.ts';
import type { Queryable } from '../database/transaction.ts';
import { latestReadingJoin, plantJson, plantWithReadingsJson } from './plant-json.ts';

export interface PlantAnswer {
  json: string;
  version: number;
}

/** All plants of an account as one JSON array, oldest first. */
export function readPlants(db: Database, userId: string, now: Date): Promise<string> {
  return readList(db, 'plants', plantJson('$2'), userId, now);
}

export function readPlantsWithReadings(db: Database, userId: string, now: Date): Promise<string> {
  return readList(db, 'plants-with-readings', plantWithReadingsJson('$2'), userId, now);
}

async function readList(db: Database, name: string, json: string, userId: string, now: Date) {
  const { rows } = await db.pool.query<{ json: string }>({
    name,
    text: `SELECT coalesce(json_agg(${json} ORDER BY p.date_added, p.id), '[]')::text AS json
      FROM plants p ${latestReadingJoin} WHERE p.user_id = $1`,
    values: [userId, now],
  });
  return rows[0]?.json ?? '[]';
}

/** One plant as JSON with its version, or null when the account has no such plant. */
export async function readPlant(
  db: Queryable,
  userId: string,
  id: string,
  now: Date,
): Promise<PlantAnswer | null> {
  const { rows } = await db.query<PlantAnswer>({
    name: 'plant',
    text: `SELECT ${plantJson('$3')}::text AS json, p.version
      FROM plants p ${latestReadingJoin} WHERE p.user_id = $1 AND p.id = $2`,
    values: [userId, id, now],
  });
  return rows[0] ?? null;
}
