import type { ReadingLog } from '#domain/reading/reading.ts';
import { nextSoil, readingAt, type Surroundings } from '../world/climate.ts';
import { createPump, type Pump } from './pump.ts';

/** How many readings a device keeps while it cannot report. The oldest are lost first. */
const bufferSize = 50;

/** ml that raise the soil as far as an average day dries it: pots that dry fast are small. */
const mlPerDryDay = 60;

/** A plant's soil as it really is: unrounded and without the sensor's noise, or it would never dry. */
export interface Soil {
  /** % */
  humidity: number;
  /** ms, by the device's weather */
  at: number;
}

/** One pretend device with its sensor, its pump and the pot that both stand in. */
export interface Device {
  surroundings: Surroundings;
  soil: Soil;
  sensorIsStuck: boolean;
  /** What a stuck sensor shows for ever; null before its first reading. */
  stuckAt: number | null;
  /** Taken and not yet reported, oldest first. */
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

/** What ran out of the pump at `now` (ms, real time) goes into the pot, as far as it holds it. */
export function soak(device: Device, amountMl: number, now: number): void {
  const { surroundings, soil } = device;
  device.pumped = { at: now, toldAt: null };
  const raised = soil.humidity + (amountMl * surroundings.dryingPerDay) / mlPerDryDay;
  const held = Math.max(soil.humidity, surroundings.fieldCapacity);
  device.soil = { ...soil, humidity: Math.min(held, raised) };
}
