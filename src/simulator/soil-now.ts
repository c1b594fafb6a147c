import type { PlantWithReadings } from '#contract/plants.ts';
import { nextSoil, type Surroundings } from './climate.ts';

/**
 * A plant's soil as its feeder last reported it. Readings are rounded and noisy: going on from them every few
 * seconds, the soil would never dry.
 */
export interface FedSoil {
  /** %, unrounded */
  humidity: number;
  /** ms */
  at: number;
  /** ms; the newest watering that is in it */
  wateredAt: number;
}

/** Soil at `now` (ms), from what was fed last if that is still the newest reading, else from the newest reading. */
export function soilNow(
  surroundings: Surroundings,
  plant: Pick<PlantWithReadings, 'latest_soil_humidity' | 'last_reading_time' | 'last_watered'>,
  now: number,
  fed: FedSoil | undefined,
): FedSoil {
  const readAt = momentOf(plant.last_reading_time);
  const wateredAt = momentOf(plant.last_watered);
  const from = (humidity: number, at: number): FedSoil => ({
    humidity: nextSoil(surroundings, humidity, at, now),
    at: now,
    wateredAt,
  });
  if (wateredAt > (fed?.wateredAt ?? readAt)) return from(surroundings.fieldCapacity, wateredAt);
  if (fed && fed.at >= readAt) return from(fed.humidity, fed.at);
  return from(
    plant.latest_soil_humidity ?? surroundings.fieldCapacity / 2,
    Math.max(readAt, wateredAt) || now,
  );
}

/** ms; 0 when there is none */
function momentOf(timestamp: string | null | undefined): number {
  return Date.parse(timestamp ?? '') || 0;
}
