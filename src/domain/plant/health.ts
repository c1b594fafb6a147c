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

/** Too little light is judged by the brightest reading of this period (ms), because nights are dark. */
export const lightWindowMs = dayMs;

/**
 * Health of a plant at `now` (ms) from its readings, newest first: Good if no measure is outside its thresholds,
 * Warning if one is, Critical if two are or soil is below half its minimum, Unknown without a reading in 24 h. A reading
 * may contain some measures only, so each is judged by its own newest value.
 * Hysteresis: a measure that was outside counts as inside only once it is inside by 5 % of the threshold. `brightest`
 * (lux) is the brightest reading of 24 h, for when `newestFirst` does not contain all readings of that period.
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
  const noDarkness = { ...plant, luminance_threshold_min: null };
  const out = measures.filter(
    (measure) => isOut(measure, noDarkness, newestFirst) || (measure === 'luminance' && isDark),
  );
  if (out.length === 0) return 'Good';
  return out.length === 1 ? 'Warning' : 'Critical';
}

/** A health that was computed from the reading of `lastReadingAt` (ms), at `now`: Unknown after 24 h. */
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

/** Searches back from the newest reading to the first one that is not within the hysteresis band. */
function isOut(measure: Measure, plant: Thresholds, newestFirst: readonly ReadingLog[]): boolean {
  const min = plant[`${measure}_threshold_min`];
  const max = plant[`${measure}_threshold_max`];
  for (const reading of newestFirst) {
    const value = reading[measure];
    if (value === null) continue;
    if ((min !== null && value < min) || (max !== null && value > max)) return true;
    const insideMin = min === null || value >= min + Math.abs(min) * hysteresis;
    const insideMax = max === null || value <= max - Math.abs(max) * hysteresis;
    if (insideMin && insideMax) return false;
  }
  return false;
}
