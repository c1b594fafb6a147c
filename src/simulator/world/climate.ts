import type { PlantWithReadings } from '#contract/plants.ts';
import { type Measure, possibleRange, type ReadingLog } from '#domain/reading/reading.ts';
import { dayMs, minuteMs } from '#domain/time.ts';
import { createRandom, randomFor } from './random.ts';
import { type Place, weatherAt } from './weather.ts';

/** A plant's place and pot. */
export interface Surroundings extends Place {
  /** soil % lost on the first day after watering, at 22 °C and average light */
  dryingPerDay: number;
  /** soil % right after watering */
  fieldCapacity: number;
}

const stepMs = 15 * minuteMs;

/** Soil humidity (%) below which neither roots nor evaporation remove water. */
const residualSoil = 3;
/** How much (%) drains from a freshly watered pot, and how fast. */
const drainage = 3;
const drainageMs = 20 * minuteMs;

/** What the plant's sensor reports at a moment (ms) if soil humidity is `soilHumidity` %. */
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

/** lux, at noon behind a window */
const windowLux: Record<string, number> = { Low: 2_000, Medium: 7_000, High: 14_000 };
const openSkyLux = 70_000;

/** Plausible surroundings for a plant, guessed from its fields. */
export function surroundingsOf(plant: PlantWithReadings, seed: number): Surroundings {
  const random = createRandom(seed);
  const between = (from: number, to: number) => from + (to - from) * random();
  const light = plant.sunlight_requirements ?? '';
  const outdoor = plant.category === 'Outdoor' || light === 'Full Sun';
  const noonLux = outdoor ? openSkyLux : (windowLux[light] ?? 7_000);
  const wettest = plant.soil_humidity_threshold_max ?? 70;
  return {
    seed,
    outdoor,
    brightnessLux: noonLux * between(0.7, 1.2),
    baseTemperature: between(22, 26),
    baseAirHumidity: between(50, 65),
    dryingPerDay: between(6, 10) * (outdoor ? 1.5 : 1),
    fieldCapacity: Math.min(80, Math.max(35, wettest - between(2, 8))),
  };
}

interface HistoryOptions {
  /** ms, exclusive: the first reading comes one step later */
  from: number;
  /** ms, inclusive */
  to: number;
  stepMs: number;
  /** ms, in any order; those outside the span are ignored */
  wateredAt: readonly number[];
  /** soil % at `from` */
  startSoil: number;
}

/** The readings of a plant's sensor over a span of time, oldest first. */
export function simulateHistory(
  surroundings: Surroundings,
  { from, to, stepMs, wateredAt, startSoil }: HistoryOptions,
): ReadingLog[] {
  const waterings = wateredAt.toSorted((a, b) => a - b);
  const readings: ReadingLog[] = [];
  let soil = startSoil;
  for (let at = from; at + stepMs <= to; at += stepMs) {
    const moment = at + stepMs;
    const watered = waterings.findLast((w) => w > at && w <= moment);
    soil = nextSoil(
      surroundings,
      watered === undefined ? soil : surroundings.fieldCapacity,
      watered ?? at,
      moment,
    );
    readings.push(readingAt(surroundings, moment, soil));
  }
  return readings;
}
