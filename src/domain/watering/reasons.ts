import type { NotWateredReason } from '../journal/entry.ts';
import { ageInWords } from '../time.ts';
import {
  missingSetup,
  type RulePlant,
  type WaitReason,
  type WateringDecision,
  wateringLimits,
} from './rule.ts';

/** Why automatic watering does not water a plant, and since when (ms). `reason`: null if none is known or it is off. */
export interface WaitStatus {
  reason: WaitReason | null;
  since: number | null;
}

/** The reason to store after a decision; null if the plant is watered or automatic watering is off. */
export function reasonOf(decision: WateringDecision): WaitReason | null {
  return decision.type === 'water' || decision.reason === 'off' ? null : decision.reason;
}

/**
 * The reason at `now` (ms): usually that of the last decision. Decisions are made only when a reading arrives, so
 * missing settings and a sensor that stopped reporting are checked here. For a locked plant the reason is the lock, even
 * if its soil is moist or its sensor is silent, because only a person can end it.
 */
export function waitStatusAt(
  plant: RulePlant,
  known: { lastDecision: WaitStatus; lastReadingAt: number | null; isLocked: boolean },
  now: number,
): WaitStatus {
  const { lastDecision, lastReadingAt, isLocked } = known;
  const missing = missingSetup(plant);
  if (missing) return { reason: missing === 'off' ? null : missing, since: null };
  if (isLocked) {
    return lastDecision.reason === 'locked' ? lastDecision : { reason: 'locked', since: null };
  }
  if (lastReadingAt === null) return { reason: 'no_reading', since: null };
  const isStale = now - lastReadingAt > wateringLimits.maxAgeMs;
  return isStale ? { reason: 'stale', since: lastReadingAt } : lastDecision;
}

/** The fields of a plant record about automatic watering; times in ISO 8601. */
interface WaitFields {
  auto_watering_reason?: string | null | undefined;
  auto_watering_since?: string | null | undefined;
  /** The server's text, shown for old records without a code and for unknown codes. */
  auto_watering_note?: string | null | undefined;
}

/** The screen's text about why a plant was not watered, at `now` (ms); null when there is no reason. */
export function autoWateringNote(record: WaitFields, now: number): string | null {
  const since = Date.parse(record.auto_watering_since ?? '');
  const words = record.auto_watering_reason && wordsOf(record.auto_watering_reason, since, now);
  return words ? `Not watered: ${words}` : record.auto_watering_note || null;
}

const words: Readonly<Record<string, string>> = {
  no_device: 'no device is connected',
  no_minimum: 'no minimum of soil humidity is set',
  no_reading: 'there is no reading yet',
  no_soil: 'the last reading has no soil humidity',
  out_of_range: 'the last soil humidity cannot be true',
  clock_ahead: 'the sensor’s clock is ahead',
  few_readings: 'three readings are needed',
  spread_readings: 'the last three readings are more than 2 h apart',
  moist: 'soil humidity is not below the minimum',
  under_way: 'a watering is under way',
  soaking: 'the last water is still soaking in',
  runs_used: 'the limit of four waterings in 24 h is reached. Failed ones may count',
  water_used: 'the limit of 600 ml in 24 h is reached. Failed waterings may count',
  locked:
    'three waterings had no effect. Check tank, pump, sensor and the device’s clock, then water by hand or edit the plant',
  // A device with a wrong clock refuses each command as expired.
  pump_failed:
    'the device reported that it could not water. Check tank, pump and the device’s clock',
} satisfies Record<Exclude<WaitReason | NotWateredReason, 'off' | 'stale'>, string>;

function wordsOf(reason: string, since: number, now: number): string | null {
  if (reason !== 'stale') return Object.hasOwn(words, reason) ? (words[reason] ?? null) : null;
  if (Number.isNaN(since)) return null;
  // The server decided that the reading is older than `maxAgeMs`. So show at least that age, even if this device's
  // clock is slow.
  return `last reading is ${ageInWords(Math.max(wateringLimits.maxAgeMs, now - since))} old`;
}
