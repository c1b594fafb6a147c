import type { PlantWithReadings } from '#contract/plants.ts';
import type { Device, Soil } from '../device/device.ts';
import { nextSoil, type Surroundings } from './climate.ts';

/** The server dates a pump's watering by its own clock, when the report arrives. */
const slackMs = 1_000;

/** A device's soil, and the newest watering that is already in it. */
export interface FedSoil extends Soil {
  /** ms; the newest watering that is in it */
  wateredAt: number;
}

/**
 * Soil at `now` (ms): from the device's own value if that is still the newest reading, otherwise from the newest
 * reading. A watering since then fills the pot, unless it was the device's own pump, whose water is already in the soil.
 */
export function soilNow(
  surroundings: Surroundings,
  plant: Pick<PlantWithReadings, 'latest_soil_humidity' | 'last_reading_time' | 'last_watered'>,
  now: number,
  fed: (FedSoil & Partial<Pick<Device, 'pumped'>>) | undefined,
): FedSoil {
  const readAt = momentOf(plant.last_reading_time);
  const wateredAt = momentOf(plant.last_watered);
  const from = (humidity: number, at: number): FedSoil => ({
    humidity: nextSoil(surroundings, humidity, at, now),
    at: now,
    wateredAt,
  });
  const isNew = wateredAt > (fed?.wateredAt ?? readAt);
  if (isNew && !isOwn(wateredAt, fed?.pumped)) return from(surroundings.fieldCapacity, wateredAt);
  if (fed && fed.at >= readAt) return from(fed.humidity, fed.at);
  return from(
    plant.latest_soil_humidity ?? surroundings.fieldCapacity / 2,
    Math.max(readAt, wateredAt) || now,
  );
}

function isOwn(wateredAt: number, pumped: Device['pumped'] | undefined): boolean {
  if (!pumped) return false;
  const { at, toldAt } = pumped;
  return wateredAt >= at - slackMs && wateredAt <= (toldAt ?? Number.POSITIVE_INFINITY) + slackMs;
}

/** ms; 0 when there is none */
function momentOf(timestamp: string | null | undefined): number {
  return Date.parse(timestamp ?? '') || 0;
}
