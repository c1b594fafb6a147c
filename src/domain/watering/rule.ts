import { possibleRange } from '../reading/reading.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';

/** The limits that automatic watering never leaves. Amounts in ml. */
export const wateringLimits = {
  /** A reading older than this says nothing about the soil of now. */
  freshMs: 30 * minuteMs,
  /** A sensor's clock may run this far ahead. */
  aheadMs: 5 * minuteMs,
  /** So many readings decide together, all within `spanMs`. */
  readings: 3,
  spanMs: 2 * hourMs,
  /** Water needs this long to reach the sensor. */
  soakMs: 45 * minuteMs,
  runMl: 150,
  windowMs: dayMs,
  runsInWindow: 4,
  mlInWindow: 600,
  /** How long a device may still carry a command out. */
  commandLifeMs: 2 * minuteMs,
  /** So many commands in a row without effect lock the plant. */
  failures: 3,
  /** A rise of moisture that is more than the noise of a cheap probe, in %. */
  riseOfSoil: 2,
} as const;

const limits = wateringLimits;

export interface SoilReading {
  /** ms */
  at: number;
  /** %, null when the sensor did not say */
  soil: number | null;
}

export interface PastWatering {
  /** ms */
  at: number;
  /** null: somebody watered and did not say how much */
  amountMl: number | null;
}

/** A command that was given to the device, and what is known of it since. */
export interface PastCommand {
  /** ms */
  issuedAt: number;
  /** ms; it cannot have run later */
  expiresAt: number;
  amountMl: number;
  status: 'issued' | 'done' | 'failed';
  /** What the device said that ran. */
  reportedMl: number | null;
  /** % */
  soilBefore: number;
  /** The highest soil humidity (%) read in the two hours after it; null: none was read. */
  soilAfter: number | null;
}

/** Everything that a decision rests on. */
export interface WateringFacts {
  /** The plant's raw record: without a device or a minimum of its own nothing is ever watered. */
  plant: {
    auto_watering_enabled: boolean;
    device_id: string | null;
    soil_humidity_threshold_min: number | null;
  };
  isLocked: boolean;
  /** Newest first; at least the three newest. */
  readings: readonly SoilReading[];
  /** By hand, of the last 24 h at least. */
  handWaterings: readonly PastWatering[];
  /** Of the last 24 h at least, and the last three since the plant was unlocked; in any order. */
  commands: readonly PastCommand[];
  /** ms; a hand watering or an edit: commands before it do not count against the device */
  unlockedAt: number | null;
}

export type WateringDecision =
  | { kind: 'water'; amountMl: number; soilBefore: number }
  | { kind: 'wait'; reason: WaitReason };

export type WaitReason =
  | { why: 'off' | 'no-device' | 'no-minimum' | 'no-reading' | 'no-soil' | 'out-of-range' }
  | { why: 'clock-ahead' | 'few-readings' | 'spread-readings' | 'under-way' }
  | { why: 'stale'; ageMs: number }
  | { why: 'moist' | 'soaking' | 'runs-used' | 'water-used' | 'locked' };

/**
 * Whether a plant is to be watered at `now` (ms), and how much, or why not. Promises never to water without three
 * plausible readings of which the newest is fresh, never within the soak, never more than 4 runs or 600 ml in any
 * 24 h, and not again after three commands without effect.
 */
export function decideWatering(facts: WateringFacts, now: number): WateringDecision {
  const dry = drynessOf(facts, now);
  if ('why' in dry) return wait(dry);
  const refusal = refusalAt(facts, now);
  if (refusal) return wait(refusal);
  const { runs, ml } = usedSince(facts, now - limits.windowMs);
  if (runs >= limits.runsInWindow) return wait({ why: 'runs-used' });
  const left = limits.mlInWindow - ml;
  // Less than a millilitre is nothing that a pump could measure out.
  if (!(left >= 1)) return wait({ why: 'water-used' });
  return { kind: 'water', amountMl: Math.min(limits.runMl, left), soilBefore: dry.soil };
}

function wait(reason: WaitReason): WateringDecision {
  return { kind: 'wait', reason };
}

/** The median soil (%) of a plant that is too dry by trustworthy readings, or what speaks against it. */
function drynessOf(facts: WateringFacts, now: number): { soil: number } | WaitReason {
  const { plant, readings } = facts;
  const min = plant.soil_humidity_threshold_min;
  if (!plant.auto_watering_enabled) return { why: 'off' };
  if (plant.device_id === null) return { why: 'no-device' };
  if (min === null) return { why: 'no-minimum' };
  const doubt = doubtIn(readings[0], now);
  if (doubt) return doubt;
  const known = readings.filter(isPlausible).slice(0, limits.readings);
  const [newest, , oldest] = known;
  if (!newest || !oldest) return { why: 'few-readings' };
  if (newest.at - oldest.at > limits.spanMs) return { why: 'spread-readings' };
  const soil = medianOf(known.map((reading) => reading.soil));
  // Readings from before the last water are dry whatever it did: then the newest has to be dry itself.
  const isOvertaken = lastWaterAt(facts) > oldest.at;
  return soil < min && (newest.soil < min || !isOvertaken) ? { soil } : { why: 'moist' };
}

function doubtIn(newest: SoilReading | undefined, now: number): WaitReason | null {
  if (!newest) return { why: 'no-reading' };
  const ageMs = now - newest.at;
  if (ageMs < -limits.aheadMs) return { why: 'clock-ahead' };
  if (!(ageMs <= limits.freshMs)) return { why: 'stale', ageMs };
  if (newest.soil === null) return { why: 'no-soil' };
  return isPlausible(newest) ? null : { why: 'out-of-range' };
}

function isPlausible(reading: SoilReading): reading is SoilReading & { soil: number } {
  const { min, max } = possibleRange.soil_humidity;
  return reading.soil !== null && reading.soil >= min && reading.soil <= max;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** What forbids any watering now, however dry the soil. What a command did is judged only after its soak. */
function refusalAt(facts: WateringFacts, now: number): WaitReason | null {
  if (facts.isLocked) return { why: 'locked' };
  if (facts.commands.some(({ status, expiresAt }) => status === 'issued' && expiresAt > now)) {
    return { why: 'under-way' };
  }
  if (now - lastWaterAt(facts) < limits.soakMs) return { why: 'soaking' };
  return hasFailedTooOften(facts) ? { why: 'locked' } : null;
}

/** The latest moment (ms) at which water can have come, from whom ever. */
function lastWaterAt({ handWaterings, commands }: WateringFacts): number {
  return Math.max(
    Number.NEGATIVE_INFINITY,
    ...handWaterings.map(({ at }) => at),
    ...commands.filter(mayHaveRun).map(({ expiresAt }) => expiresAt),
  );
}

/** Unless the device says that not a drop ran, it may have, at the latest moment and in full. */
function mayHaveRun({ status, reportedMl }: PastCommand): boolean {
  return !(status === 'failed' && reportedMl === 0);
}

function usedSince({ handWaterings, commands }: WateringFacts, since: number) {
  const amounts = [
    ...handWaterings
      .filter(({ at }) => at > since)
      .map(({ amountMl }) => Math.max(0, amountMl ?? limits.runMl)),
    ...commands
      .filter((command) => mayHaveRun(command) && command.expiresAt > since)
      .map(({ amountMl, reportedMl }) => Math.max(amountMl, reportedMl ?? 0)),
  ];
  return { runs: amounts.length, ml: amounts.reduce((sum, amount) => sum + amount, 0) };
}

/** The last three since the plant was unlocked were all unanswered, or the soil did not get wetter. */
function hasFailedTooOften({ commands, unlockedAt }: WateringFacts): boolean {
  const last = commands
    .filter(({ issuedAt }) => issuedAt > (unlockedAt ?? Number.NEGATIVE_INFINITY))
    .sort((a, b) => b.issuedAt - a.issuedAt)
    .slice(0, limits.failures);
  return last.length === limits.failures && last.every(hadNoEffect);
}

function hadNoEffect({ status, soilBefore, soilAfter }: PastCommand): boolean {
  if (status === 'issued') return true;
  return soilAfter === null || soilAfter < soilBefore + limits.riseOfSoil;
}
