import { isSilent, type Measure, measures, type ReadingLog } from '../reading/reading.ts';
import { dayMs } from '../time.ts';

/** The health status on the wire. */
export type ServerHealth = 'Good' | 'Warning' | 'Critical' | 'Unknown';

/** The health status on screens (spec section 3, HealthStatus values). */
export type HealthStatus = 'excellent' | 'good' | 'fair' | 'poor' | 'critical';

const healthByServer: Record<ServerHealth, HealthStatus> = {
  Good: 'good',
  Warning: 'fair',
  Critical: 'critical',
  Unknown: 'good',
};

/** Server to client mapping of spec section 3; an unknown value counts as Unknown. */
export function healthFromServer(status: string | null | undefined): HealthStatus {
  return healthByServer[status as ServerHealth] ?? 'good';
}

/** 'Healthy' for excellent and good, else 'Needs attention' (spec section 4, Plant health display). */
export function healthText(health: HealthStatus): string {
  return isHealthy(health) ? 'Healthy' : 'Needs attention';
}

export function isHealthy(health: HealthStatus): boolean {
  return health === 'excellent' || health === 'good';
}

/** Needs Attention as filters and stats count it: poor or critical (spec section 4). */
export function needsAttention(health: HealthStatus): boolean {
  return health === 'poor' || health === 'critical';
}

/** The range in which each measure of a plant should stay; null where no threshold is set. */
export type Thresholds = Record<`${Measure}_threshold_${'min' | 'max'}`, number | null>;

const hysteresis = 0.05;

/**
 * How far back from now (ms) the caller searches for an older reading outside of the hysteresis band, for each measure
 * of `undecidedMeasures`, and for one with a measure that the readings lack.
 */
export const hysteresisMs = dayMs;

/** Too little light is judged by the brightest reading of this period (ms), because nights are dark. */
export const lightWindowMs = dayMs;

/**
 * Health of a plant at `now` (ms) from its readings, newest first. Unknown: no reading in the last 24 h. Critical: soil
 * humidity is below half its minimum, or more than one measure is outside its thresholds. Warning: one measure is
 * outside. Good: none is. A reading may lack some measures, so each measure is judged by its own newest value.
 * Hysteresis: a measure that was outside a threshold counts as inside only once it is inside by 5 % of the threshold,
 * or by a quarter of the range if that is less. If the readings do not decide this for a measure (`undecidedMeasures`),
 * the caller adds an older reading that does.
 * `brightest` (lux) is the brightest reading of the last 24 h. Pass it when `newestFirst` does not contain all readings
 * of that period.
 */
export function healthFromReadings(
  plant: Thresholds,
  newestFirst: readonly ReadingLog[],
  now: number,
  brightest: number | null = brightestOfDay(newestFirst, now),
): ServerHealth {
  const [latest] = newestFirst;
  if (!latest || isSilent(Date.parse(latest.timestamp), now)) return 'Unknown';
  const soilMin = plant.soil_humidity_threshold_min;
  const soil =
    newestFirst.find(({ soil_humidity }) => soil_humidity !== null)?.soil_humidity ?? null;
  if (soilMin !== null && soil !== null && soil < soilMin / 2) return 'Critical';
  const lightMin = plant.luminance_threshold_min;
  const isDark = lightMin !== null && brightest !== null && brightest < lightMin;
  const out = measures.filter(
    (measure) => isOut(measure, plant, newestFirst) || (measure === 'luminance' && isDark),
  );
  if (out.length === 0) return 'Good';
  return out.length === 1 ? 'Warning' : 'Critical';
}

/** The health at `now` (ms): `judged`, or Unknown if there is no last reading (ms) or it is more than 24 h old. */
export function healthAt(
  judged: ServerHealth,
  lastReadingAt: number | null,
  now: number,
): ServerHealth {
  return lastReadingAt === null || isSilent(lastReadingAt, now) ? 'Unknown' : judged;
}

function brightestOfDay(newestFirst: readonly ReadingLog[], now: number): number | null {
  const ofDay = newestFirst.filter(({ timestamp }) => now - Date.parse(timestamp) <= lightWindowMs);
  const lights = ofDay.flatMap(({ luminance }) => luminance ?? []);
  return lights.length === 0 ? null : Math.max(...lights);
}

/**
 * The measures whose values are all within the hysteresis band, so that only older readings can decide about them.
 */
export function undecidedMeasures(
  plant: Thresholds,
  newestFirst: readonly ReadingLog[],
): Measure[] {
  return measures.filter(
    (measure) =>
      newestFirst.some((reading) => reading[measure] !== null) &&
      isOut(measure, plant, newestFirst) === null,
  );
}

/**
 * Whether the measure is outside its thresholds according to its newest value that is not within the hysteresis band;
 * null if there is no such value.
 */
function isOut(
  measure: Measure,
  plant: Thresholds,
  newestFirst: readonly ReadingLog[],
): boolean | null {
  const { min, max, innerMin, innerMax } = limitsOf(measure, plant);
  for (const reading of newestFirst) {
    const value = reading[measure];
    if (value === null) continue;
    if (value < min || value > max) return true;
    if (value >= innerMin && value <= innerMax) return false;
  }
  return null;
}

/**
 * A measure's thresholds, and the inner limits (hysteresis) that it must reach to count as inside again. Light has no
 * minimum here, because too little light is judged by the brightest reading.
 */
export function limitsOf(measure: Measure, plant: Thresholds) {
  const isLight = measure === 'luminance';
  const min = (isLight ? null : plant[`${measure}_threshold_min`]) ?? Number.NEGATIVE_INFINITY;
  const max = plant[`${measure}_threshold_max`] ?? Number.POSITIVE_INFINITY;
  const widest = (max - min) / 4;
  return {
    ...{ min, max },
    innerMin: Number.isFinite(min) ? min + Math.min(Math.abs(min) * hysteresis, widest) : min,
    innerMax: Number.isFinite(max) ? max - Math.min(Math.abs(max) * hysteresis, widest) : max,
  };
}
