import { type Measure, possibleRange, type ReadingLog } from '#domain/reading/reading.ts';
import { dayMs, minuteMs } from '#domain/time.ts';
import { randomFor } from './random.ts';
import { type Place, weatherAt } from './weather.ts';

/** Where one plant stands and what its pot is like. */
export interface Surroundings extends Place {
  /** soil % lost on the first day after watering, at 22 °C and average light */
  dryingPerDay: number;
  /** soil % right after watering */
  fieldCapacity: number;
}

const stepMs = 15 * minuteMs;

/** Soil humidity (%) below which neither roots nor air take water. */
const residualSoil = 3;
/** How much (%) drains from a freshly watered pot, and how fast. */
const drainage = 3;
const drainageMs = 20 * minuteMs;

/** What the plant's sensor reports at a moment (ms) when its soil holds `soilHumidity` %. */
export function readingAt(
  surroundings: Surroundings,
  moment: number,
  soilHumidity: number,
): ReadingLog {
  const { temperature, airHumidity, luminance } = weatherAt(surroundings, moment);
  const random = randomFor(surroundings.seed, moment);
  const noise = (amplitude: number) => amplitude * (2 * random() - 1);
  return {
    timestamp: new Date(moment).toISOString(),
    soil_humidity: sensed('soil_humidity', soilHumidity + noise(0.15)),
    air_humidity: sensed('air_humidity', airHumidity + noise(0.4)),
    temperature: sensed('temperature', temperature + noise(0.1)),
    luminance: Math.round(sensed('luminance', luminance * (1 + noise(0.02)))),
  };
}

/** Soil humidity (%) at `toMs`, from that at `fromMs`, without a watering in between. */
export function nextSoil(
  surroundings: Surroundings,
  soil: number,
  fromMs: number,
  toMs: number,
): number {
  let left = soil;
  for (let at = fromMs; at < toMs; at += stepMs) {
    const span = Math.min(stepMs, toMs - at);
    left = dried(surroundings, drained(surroundings, left, span), at + span / 2, span);
  }
  return left;
}

function drained({ fieldCapacity }: Surroundings, soil: number, span: number): number {
  const held = fieldCapacity - drainage;
  return soil <= held ? soil : held + (soil - held) * Math.exp(-span / drainageMs);
}

/** Evaporation and uptake: proportional to the water that is left, faster in warmth and light. */
function dried(surroundings: Surroundings, soil: number, moment: number, span: number): number {
  if (soil <= residualSoil) return soil;
  const { temperature, sunshine } = weatherAt(surroundings, moment);
  const pace = Math.max(0.1, (0.5 + 2 * sunshine) * (1 + 0.04 * (temperature - 22)));
  const perDay = surroundings.dryingPerDay / (surroundings.fieldCapacity - residualSoil);
  return residualSoil + (soil - residualSoil) * Math.exp((-perDay * pace * span) / dayMs);
}

function sensed(measure: Measure, value: number): number {
  const { min, max } = possibleRange[measure];
  return Math.min(max, Math.max(min, Math.round(value * 10) / 10));
}
