import type { ServerHealth } from '#domain/plant/health.ts';
import type { WatchedPlant } from '#domain/reminder/alerts.ts';
import type { RemindedPlant } from '#domain/reminder/digest.ts';
import { msOf } from '../../database/moments.ts';
import type { Queryable } from '../../database/transaction.ts';

export type GardenPlant = RemindedPlant & WatchedPlant;

interface Row {
  id: string;
  nickname: string;
  nextWatering: number;
  snoozedUntil: number | null;
  isReminderEnabled: boolean;
  daysBefore: number;
  hasDevice: boolean;
  health: ServerHealth;
  isLocked: boolean;
  hasPumpFailed: boolean;
  lastReadingAt: number | null;
  attachedAt: number | null;
}

/**
 * The account's plants as the rules of reminders need them. A command that failed is a failure of the pump if it is one
 * in the journal (reportResults).
 */
export async function readGarden(db: Queryable, userId: string): Promise<GardenPlant[]> {
  const { rows } = await db.query<Row>({
    name: 'garden-of-reminders',
    text: `SELECT p.id, p.nickname, ${msOf('p.next_watering_date')} AS "nextWatering",
        ${msOf('p.snoozed_until')} AS "snoozedUntil", p.reminder_enabled AS "isReminderEnabled",
        p.reminder_days_before AS "daysBefore", p.device_id IS NOT NULL AS "hasDevice",
        p.health_status AS health, p.auto_watering_enabled AND p.auto_watering_locked AS "isLocked",
        coalesce(c.status = 'failed' AND c.reported_at > coalesce(p.auto_watering_since, '-infinity'), false)
          AS "hasPumpFailed",
        ${msOf('r.ts')} AS "lastReadingAt",
        ${msOf('coalesce(p.device_changed_at, p.device_since)')} AS "attachedAt"
      FROM plants p
      LEFT JOIN LATERAL (
        SELECT ts FROM sensor_logs WHERE user_id = $1::uuid AND plant_id = p.id ORDER BY ts DESC LIMIT 1
      ) r ON p.device_id IS NOT NULL OR p.health_status <> 'Unknown'
      LEFT JOIN LATERAL (
        SELECT status, reported_at FROM watering_commands ran
        WHERE user_id = $1::uuid AND plant_id = p.id AND (status = 'done' OR (status = 'failed' AND EXISTS (
          SELECT FROM journal_entries e WHERE e.user_id = $1::uuid AND e.plant_id = p.id
            AND e.type = 'not_watered' AND e.reason = 'pump_failed'
            AND e.at = least(ran.expires_at, ran.reported_at))))
        ORDER BY issued_at DESC LIMIT 1
      ) c ON p.auto_watering_enabled
      WHERE p.user_id = $1`,
    values: [userId],
  });
  return rows;
}
