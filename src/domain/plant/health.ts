import { type Measure, measures, type ReadingLog } from '../reading/reading.ts';
import { isSilent } from '../reading/silence.ts';
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

/** Where each measure of a plant is to stay; null: nobody has said. */
export type Thresholds = Record<`${Measure}_threshold_${'min' | 'max'}`, number | null>;

const hysteresis = 0.05;

/** Too little light is judged by the brightest reading of so long (ms): nights are dark. */
export const lightWindowMs = dayMs;

/**
 * Health of a plant at `now` (ms) from its readings, newest first: none out of its thresholds is Good, one is
 * Warning, two or more or soil below half its minimum is Critical, no reading in 24 h is Unknown.
 * A measure that went out comes back only when it is inside by 5 % of the threshold, so that a value at the edge
 * does not flap. `brightest` (lux) is the brightest reading of 24 h, when `newestFirst` does not reach back so far.
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
  if (soilMin !== null && latest.soil_humidity !== null && latest.soil_humidity < soilMin / 2) {
    return 'Critical';
  }
  const lightMin = plant.luminance_threshold_min;
  const isDark = lightMin !== null && brightest !== null && brightest < lightMin;
  const noDarkness = { ...plant, luminance_threshold_min: null };
  const out = measures.filter(
    (measure) => isOut(measure, noDarkness, newestFirst) || (measure === 'luminance' && isDark),
  );
  if (out.length === 0) return 'Good';
  return out.length === 1 ? 'Warning' : 'Critical';
}

/** A health that was judged by the reading of `lastReadingAt` (ms), as it counts at `now`: Unknown after 24 h. */
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

/** Walks from the newest reading back to the first that decides without the hysteresis band. */
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
