import type { AppServer } from './app-server.ts';

export interface Watering {
  watered_at: Date;
  source: string;
}

/** The waterings of a plant on the server at or after `since`. */
export async function wateringsSince(
  server: AppServer,
  nickname: string,
  since: Date,
): Promise<Watering[]> {
  return server.query<Watering>(
    `SELECT w.watered_at, w.source FROM waterings w
     JOIN plants p ON p.user_id = w.user_id AND p.id = w.plant_id
     WHERE p.nickname = $1 AND w.watered_at >= $2`,
    [nickname, since],
  );
}
