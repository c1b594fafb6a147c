import type { PlantWithReadings } from '#contract/plants.ts';
import type { Device, Soil } from '../device/device.ts';
import { nextSoil, type Surroundings } from './climate.ts';

/** A server stamps a pump's watering when it hears of it, by a clock of its own. */
const slackMs = 1_000;

/** The soil that a device knows, and what has gone into it. */
export interface FedSoil extends Soil {
  /** ms; the newest watering that is in it */
  wateredAt: number;
}

/**
 * Soil at `now` (ms), from what was fed last if that is still the newest reading, else from the newest reading. A
 * watering since then fills the pot, unless it is the device's own pump, whose water is in the soil already.
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
