import type { ReadingLog } from '#domain/reading/reading.ts';
import { nextSoil, readingAt, type Surroundings } from '../world/climate.ts';
import { createPump, type Pump } from './pump.ts';

/** How many readings a device keeps while it cannot report. The oldest are lost first. */
const bufferSize = 50;

/** ml that raise the soil by as much as an average day dries it, so that pots that dry fast are small. */
const mlPerDryDay = 60;

/** A plant's real soil humidity, without rounding and sensor noise; a rounded value would never dry in small steps. */
export interface Soil {
  /** % */
  humidity: number;
  /** ms, in simulated time, which may run faster than the clock */
  at: number;
}

/** One pretend device with its sensor, its pump and the pot that both stand in. */
export interface Device {
  surroundings: Surroundings;
  soil: Soil;
  sensorIsStuck: boolean;
  /** The value that a stuck sensor keeps reporting; null before its first reading. */
  stuckAt: number | null;
  /** Readings that are not yet reported, oldest first. */
  waiting: ReadingLog[];
  pump: Pump;
  /** When its pump last ran and when the server knew (ms, real time); null: not yet */
  pumped: { at: number; toldAt: number | null } | null;
}

export function createDevice(
  surroundings: Surroundings,
  soil: Soil,
  faults: { sensorIsStuck?: boolean; tankIsEmpty?: boolean } = {},
): Device {
  return {
    surroundings,
    soil,
    sensorIsStuck: faults.sensorIsStuck ?? false,
    stuckAt: null,
    waiting: [],
    pump: createPump(faults.tankIsEmpty),
    pumped: null,
  };
}

/** Takes a reading of soil and weather at `at` (ms), to be reported as taken at `moment` (ms, real time). */
export function measure(device: Device, at: number, moment: number): void {
  const { surroundings, soil } = device;
  device.soil = { humidity: nextSoil(surroundings, soil.humidity, soil.at, at), at };
  const reading = readingAt(surroundings, at, device.soil.humidity);
  if (device.sensorIsStuck) device.stuckAt ??= reading.soil_humidity;
  device.waiting.push({
    ...reading,
    timestamp: new Date(moment).toISOString(),
    soil_humidity: device.stuckAt ?? reading.soil_humidity,
  });
  device.waiting.splice(0, device.waiting.length - bufferSize);
}

/** Adds what the pump gave at `now` (ms, real time) to the pot, up to what the pot holds. */
export function soak(device: Device, amountMl: number, now: number): void {
  const { surroundings, soil } = device;
  device.pumped = { at: now, toldAt: null };
  const raised = soil.humidity + (amountMl * surroundings.dryingPerDay) / mlPerDryDay;
  const held = Math.max(soil.humidity, surroundings.fieldCapacity);
  device.soil = { ...soil, humidity: Math.min(held, raised) };
}
