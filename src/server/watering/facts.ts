import { type PastCommand, type PastWatering, wateringLimits } from '#domain/watering/rule.ts';
import type { Queryable } from '../database/transaction.ts';
import { msOf } from '../plants/plant-json.ts';

interface KnownPlant {
  userId: string;
  id: string;
  /** ms */
  unlockedAt: number | null;
}

/** What happened to a plant lately, as far as a decision to water needs it. */
export async function wateringHistory(
  db: Queryable,
  { userId, id, unlockedAt }: KnownPlant,
  now: Date,
): Promise<{ handWaterings: PastWatering[]; commands: PastCommand[] }> {
  // A command counts by its latest possible run, which is later than its issue.
  const since = new Date(now.getTime() - wateringLimits.windowMs - wateringLimits.commandLifeMs);
  const { rows: handWaterings } = await db.query<PastWatering>({
    name: 'hand-waterings',
    text: `SELECT ${msOf('watered_at')} AS at, amount_ml AS "amountMl" FROM waterings
      WHERE user_id = $1::uuid AND plant_id = $2::uuid AND watered_at > $3 AND source = 'manual'`,
    values: [userId, id, since],
  });
  const { rows: commands } = await db.query<PastCommand>({
    name: 'past-commands',
    text: `SELECT ${msOf('c.issued_at')} AS "issuedAt", ${msOf('c.expires_at')} AS "expiresAt",
        c.amount_ml AS "amountMl", c.status, c.reported_ml AS "reportedMl", c.soil_before AS "soilBefore",
        (SELECT max(soil_humidity) FROM sensor_logs WHERE user_id = c.user_id AND plant_id = c.plant_id
          AND ts > c.issued_at AND ts <= c.issued_at + $4 * interval '1 millisecond') AS "soilAfter"
      FROM watering_commands c
      WHERE c.user_id = $1::uuid AND c.plant_id = $2::uuid AND (c.issued_at > $3 OR c.id IN (
        SELECT id FROM watering_commands WHERE user_id = $1::uuid AND plant_id = $2::uuid
          AND issued_at > coalesce($5, '-infinity'::timestamptz)
        ORDER BY issued_at DESC LIMIT ${wateringLimits.failures}))`,
    values: [userId, id, since, wateringLimits.spanMs, dateOf(unlockedAt)],
  });
  return { handWaterings, commands };
}

function dateOf(moment: number | null): Date | null {
  return moment === null ? null : new Date(moment);
}
