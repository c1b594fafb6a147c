import type { PlantFields } from '../plant/fields.ts';
import { possibleRange } from '../reading/reading.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';

/**
 * The limits of automatic watering. Amounts in ml. Some are repeated in words: below in the docstring of
 * `decideWatering`, in the texts of reasons.ts, alerts.ts and field-notes.ts, and in README.md of src/simulator and
 * src/client.
 */
export const wateringLimits = {
  /** There is no watering if the newest reading is older, because the soil may have changed since. */
  maxAgeMs: 30 * minuteMs,
  /** A sensor's clock may be ahead by at most this. */
  maxClockLeadMs: 5 * minuteMs,
  /** A decision needs this many readings, all within `maxSpanMs` and at least `minGapMs` apart. */
  minReadings: 3,
  maxSpanMs: 2 * hourMs,
  /** Readings with a smaller gap may be one value that the sensor repeats. */
  minGapMs: 2 * minuteMs,
  /** Water needs this long to reach the sensor. */
  soakMs: 45 * minuteMs,
  /** The readings of this period after a command was issued show whether it wet the soil. */
  effectMs: 2 * hourMs,
  /** The amount of one command. */
  runMl: 150,
  /** In any period of `windowMs` at most `maxRuns` waterings and at most `maxMl`. */
  windowMs: dayMs,
  maxRuns: 4,
  maxMl: 600,
  /** How long after a command was issued the device may run it. */
  commandLifeMs: 2 * minuteMs,
  /** This many commands in a row without effect lock automatic watering of the plant. */
  maxFailures: 3,
  /** The smallest rise of soil humidity (%) that is more than the noise of a cheap sensor. */
  minSoilRise: 2,
} as const;

const limits = wateringLimits;

export interface SoilReading {
  /** ms */
  at: number;
  /** %, null when the sensor did not report it */
  soil: number | null;
}

export interface PastWatering {
  /** ms */
  at: number;
  /** null: the amount is unknown */
  amountMl: number | null;
}

/** A command to the device, with the result that the device reported and the soil humidity afterwards. */
export interface PastCommand {
  /** ms */
  issuedAt: number;
  /** ms; it cannot have run later */
  expiresAt: number;
  amountMl: number;
  status: 'issued' | 'done' | 'failed';
  /** The amount that the device reported, ml. */
  reportedMl: number | null;
  /** % */
  soilBefore: number;
  /**
   * The upper quartile of the soil humidity (%) in the two hours after `issuedAt`: the highest value that at least a
   * quarter of the values reach. Null if no reading has a value. It is not the maximum, because among many readings a
   * few are too high by chance. A larger share is not required, because the water may need an hour to reach the sensor.
   * With up to four readings it is the maximum.
   */
  soilQuartileAfter: number | null;
}

/** The fields of a plant that a decision is based on. Statements that read a plant for the rule select all of them. */
export const ruleFields = [
  'auto_watering_enabled',
  'device_id',
  'soil_humidity_threshold_min',
] as const satisfies readonly (keyof PlantFields)[];

export type RulePlant = Required<Pick<PlantFields, (typeof ruleFields)[number]>>;

/** Everything that a decision is based on. */
export interface WateringFacts {
  /** From the plant's raw record. A plant without a device or a minimum is never watered automatically. */
  plant: RulePlant;
  isLocked: boolean;
  /** ms; when the device was last replaced or removed, null if never. Earlier readings are of another sensor. */
  deviceSince: number | null;
  /**
   * Newest first. Must include three plausible readings that are `minGapMs` apart and within `maxSpanMs`, if they
   * exist.
   */
  readings: readonly SoilReading[];
  /** Waterings by hand, at least those of the last 24 h. */
  manualWaterings: readonly PastWatering[];
  /** At least the commands of the last 24 h and the last three since the plant was unlocked; in any order. */
  commands: readonly PastCommand[];
  /** ms; when a watering by hand or an edit last unlocked the plant. Earlier commands do not count towards the lock. */
  unlockedAt: number | null;
}

export type WateringDecision =
  | { type: 'water'; amountMl: number; soilBefore: number }
  | { type: 'wait'; reason: WaitReason };

/** Why a plant is not watered. On the wire the code is `auto_watering_reason`. */
export const waitReasons = [
  'off',
  'no_device',
  'no_minimum',
  'no_reading',
  'clock_ahead',
  'stale',
  'no_soil',
  'out_of_range',
  'few_readings',
  'spread_readings',
  'moist',
  'locked',
  'under_way',
  'soaking',
  'runs_used',
  'water_used',
] as const;

export type WaitReason = (typeof waitReasons)[number];

/**
 * Decides whether a plant is watered at `now` (ms) and how much, or why not. It never waters without three plausible
 * readings of the present device that are at least two minutes apart; the newest must be fresh. It does not water while
 * the last water soaks in, after three commands in a row without effect, or beyond 4 waterings or 600 ml in any 24 h.
 */
export function decideWatering(facts: WateringFacts, now: number): WateringDecision {
  const dry = drynessOf(facts, now);
  if (typeof dry === 'string') return wait(dry);
  const blocked = blockingReason(facts, now);
  if (blocked) return wait(blocked);
  const { runs, ml } = usedSince(facts, now - limits.windowMs);
  if (runs >= limits.maxRuns) return wait('runs_used');
  const left = limits.maxMl - ml;
  // Pumps cannot dose less than a millilitre.
  if (!(left >= 1)) return wait('water_used');
  return { type: 'water', amountMl: Math.min(limits.runMl, left), soilBefore: dry.soil };
}

function wait(reason: WaitReason): WateringDecision {
  return { type: 'wait', reason };
}

/** The median soil humidity (%) if trustworthy readings say that the plant is too dry, otherwise the reason to wait. */
function drynessOf(facts: WateringFacts, now: number): { soil: number } | WaitReason {
  const { plant, readings, deviceSince } = facts;
  const min = plant.soil_humidity_threshold_min;
  const obstacle = missingSetup(plant) ?? unusableReason(readings[0], now);
  if (obstacle) return obstacle;
  const ofDevice = readings.filter(({ at }) => at >= (deviceSince ?? Number.NEGATIVE_INFINITY));
  const deciding = pickSpaced(ofDevice.filter(isPlausible));
  const [newest, , oldest] = deciding;
  if (!newest || !oldest) return 'few_readings';
  if (newest.at - oldest.at > limits.maxSpanMs) return 'spread_readings';
  const soil = medianOf(deciding.map((reading) => reading.soil));
  // A reading from before the last watering does not show what that watering did. If one of the three is such a
  // reading, the newest must be below the minimum too.
  const isBeforeWatering = lastWaterAt(facts) > oldest.at;
  return min !== null && soil < min && (newest.soil < min || !isBeforeWatering)
    ? { soil }
    : 'moist';
}

/** The setting that a plant lacks for automatic watering; null if it has all of them. */
export function missingSetup(plant: RulePlant): WaitReason | null {
  if (!plant.auto_watering_enabled) return 'off';
  if (plant.device_id === null) return 'no_device';
  return plant.soil_humidity_threshold_min === null ? 'no_minimum' : null;
}

/** Whether more readings must be loaded to decide: the newest is plausible, but too few are far enough apart. */
export function needsOlderReadings(newestFirst: readonly SoilReading[]): boolean {
  const [newest] = newestFirst;
  if (!newest || !isPlausible(newest)) return false;
  return pickSpaced(newestFirst.filter(isPlausible)).length < limits.minReadings;
}

/** Why the newest reading cannot be used for a decision; null if it can. */
function unusableReason(newest: SoilReading | undefined, now: number): WaitReason | null {
  if (!newest) return 'no_reading';
  const ageMs = now - newest.at;
  if (ageMs < -limits.maxClockLeadMs) return 'clock_ahead';
  if (!(ageMs <= limits.maxAgeMs)) return 'stale';
  if (newest.soil === null) return 'no_soil';
  return isPlausible(newest) ? null : 'out_of_range';
}

function isPlausible(reading: SoilReading): reading is SoilReading & { soil: number } {
  const { min, max } = possibleRange.soil_humidity;
  return reading.soil !== null && reading.soil >= min && reading.soil <= max;
}

/**
 * Picks at most three readings: the newest, then repeatedly the next one that is at least `minGapMs` older than the
 * last pick.
 */
function pickSpaced<Reading extends SoilReading>(newestFirst: readonly Reading[]): Reading[] {
  const chosen: Reading[] = [];
  for (const reading of newestFirst) {
    const last = chosen.at(-1);
    if (!last || last.at - reading.at >= limits.minGapMs) chosen.push(reading);
    if (chosen.length === limits.minReadings) break;
  }
  return chosen;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * The reason that forbids watering now, however dry the soil is, or null. Commands without effect are counted only
 * after the soak time.
 */
function blockingReason(facts: WateringFacts, now: number): WaitReason | null {
  if (facts.isLocked) return 'locked';
  if (facts.commands.some(({ status, expiresAt }) => status === 'issued' && expiresAt > now)) {
    return 'under_way';
  }
  if (now - lastWaterAt(facts) < limits.soakMs) return 'soaking';
  return hasFailedTooOften(facts) ? 'locked' : null;
}

/** The latest time (ms) at which the plant may have been watered, by hand or by a command. */
function lastWaterAt({ manualWaterings, commands }: WateringFacts): number {
  return Math.max(
    Number.NEGATIVE_INFINITY,
    ...manualWaterings.map(({ at }) => at),
    ...commands.filter(mayHaveRun).map(({ expiresAt }) => expiresAt),
  );
}

/**
 * Whether a command counts as run: always, unless it failed and the device reported 0 ml. It counts at its expiry, with
 * its full amount, or with the reported amount if that is larger.
 */
function mayHaveRun({ status, reportedMl }: PastCommand): boolean {
  return !(status === 'failed' && reportedMl === 0);
}

/** The ml that the limits count for a watering by hand. An unknown amount counts as that of a command. */
export function countedMl(amountMl: number | null): number {
  return Math.max(0, amountMl ?? limits.runMl);
}

function usedSince({ manualWaterings, commands }: WateringFacts, since: number) {
  const amounts = [
    ...manualWaterings.filter(({ at }) => at > since).map(({ amountMl }) => countedMl(amountMl)),
    ...commands
      .filter((command) => mayHaveRun(command) && command.expiresAt > since)
      .map(({ amountMl, reportedMl }) => Math.max(amountMl, reportedMl ?? 0)),
  ];
  return { runs: amounts.length, ml: amounts.reduce((sum, amount) => sum + amount, 0) };
}

/**
 * Whether the last three commands since the plant was unlocked all had no effect: the device reported no result, or
 * `soilQuartileAfter` is missing or too low. False if there are fewer than three.
 */
function hasFailedTooOften({ commands, unlockedAt }: WateringFacts): boolean {
  const last = commands
    .filter(({ issuedAt }) => issuedAt > (unlockedAt ?? Number.NEGATIVE_INFINITY))
    .sort((a, b) => b.issuedAt - a.issuedAt)
    .slice(0, limits.maxFailures);
  return last.length === limits.maxFailures && last.every(hadNoEffect);
}

function hadNoEffect({ status, soilBefore, soilQuartileAfter }: PastCommand): boolean {
  if (status === 'issued') return true;
  return soilQuartileAfter === null || soilQuartileAfter < soilBefore + limits.minSoilRise;
}
