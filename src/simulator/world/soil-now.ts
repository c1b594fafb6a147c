import type { PlantWithReadings } from '#contract/plants.ts';
import type { Device, Soil } from '../device/device.ts';
import { nextSoil, type Surroundings } from './climate.ts';

/** Tolerance, because the server dates a pump's watering by its own clock when the report arrives. */
const slackMs = 1_000;

/** A device's soil, and the newest watering that it already includes. */
export interface KnownSoil extends Soil {
  /** ms; the newest watering that it includes */
  wateredAt: number;
}

/**
 * Soil at `now` (ms). `known` is the device's own value, which already includes the water of its own pump. If the
 * plant's last watering is new and not by that pump, it raised the soil to the pot's capacity. Otherwise, soil is
 * calculated from `known`, or from the newest reading if that is newer. A watering is new if `known` does not include
 * it yet; without `known`, if it is later than the newest reading.
 */
export function soilNow(
  surroundings: Surroundings,
  plant: Pick<PlantWithReadings, 'latest_soil_humidity' | 'last_reading_time' | 'last_watered'>,
  now: number,
  known: (KnownSoil & Partial<Pick<Device, 'pumped'>>) | undefined,
): KnownSoil {
  const readAt = momentOf(plant.last_reading_time);
  const wateredAt = momentOf(plant.last_watered);
  const from = (humidity: number, at: number): KnownSoil => ({
    humidity: nextSoil(surroundings, humidity, at, now),
    at: now,
    wateredAt,
  });
  const isNew = wateredAt > (known?.wateredAt ?? readAt);
  if (isNew && !isOwn(wateredAt, known?.pumped)) return from(surroundings.fieldCapacity, wateredAt);
  if (known && known.at >= readAt) return from(known.humidity, known.at);
  return from(
    plant.latest_soil_humidity ?? surroundings.fieldCapacity / 2,
    Math.max(readAt, wateredAt) || now,
  );
}

function isOwn(wateredAt: number, pumped: Device['pumped'] | undefined): boolean {
  if (!pumped) return false;
  const { at, reportedAt } = pumped;
  return (
    wateredAt >= at - slackMs && wateredAt <= (reportedAt ?? Number.POSITIVE_INFINITY) + slackMs
  );
}

/** ms; 0 when there is none */
function momentOf(timestamp: string | null | undefined): number {
  return Date.parse(timestamp ?? '') || 0;
}
