import { type CommandResult, type DeviceCommand, logLimits } from '#contract/logs.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { nextSoil, readingAt, type Surroundings } from '../world/climate.ts';

/** A device's pump with the commands it has received and the results it has not reported yet. */
export interface Pump {
  tankIsEmpty: boolean;
  /** Ids of all commands it has received; none runs twice. */
  known: Set<string>;
  /** Sent with every report until the server has stored them. */
  unreported: CommandResult[];
}

export function createPump(tankIsEmpty = false): Pump {
  return { tankIsEmpty, known: new Set(), unreported: [] };
}

/**
 * Runs each new command, unless it has expired at `serverNow` (ms by the server's clock) or the tank is empty; returns
 * the ml of water that the pump gave. A command that did not run is reported as failed with 0 ml, so that the server
 * does not count it as water.
 */
export function runCommands(
  pump: Pump,
  commands: readonly DeviceCommand[],
  serverNow: number,
): number {
  let ran = 0;
  for (const { id, amount_ml, expires_at } of commands) {
    if (pump.known.has(id)) continue;
    pump.known.add(id);
    const runs = !pump.tankIsEmpty && serverNow < Date.parse(expires_at);
    pump.unreported.push({ id, status: runs ? 'done' : 'failed', amount_ml: runs ? amount_ml : 0 });
    if (runs) ran += amount_ml;
  }
  return ran;
}

/** Removes results that the server has received. */
export function removeReported(pump: Pump, reported: readonly CommandResult[]): void {
  pump.unreported = pump.unreported.filter((result) => !reported.includes(result));
}

/**
 * How many readings a device stores while it cannot report: as many as it can send at once. The oldest are deleted
 * first.
 */
const bufferSize = logLimits.readings;

/**
 * How much water (ml) replaces what the soil loses on an average day. The same for all pots: one whose soil dries
 * faster is simulated as a smaller pot.
 */
const mlPerDryDay = 60;

/**
 * A plant's exact soil humidity, without sensor noise. It is not rounded, because rounding would cancel the small
 * decreases of short intervals.
 */
export interface Soil {
  /** % */
  humidity: number;
  /** ms, in simulated time, which may run faster than the clock */
  at: number;
}

/** A simulated device: its sensor, its pump and the soil of its pot. */
export interface Device {
  surroundings: Surroundings;
  soil: Soil;
  sensorIsStuck: boolean;
  /** The value that a stuck sensor keeps reporting; null before its first reading. */
  stuckAt: number | null;
  /** Readings that are not yet reported, oldest first. */
  waiting: ReadingLog[];
  pump: Pump;
  /** When its pump last ran and when that was reported (ms, real time); null: never */
  pumped: { at: number; reportedAt: number | null } | null;
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

/** Adds the pump's water at `now` (ms, real time) to the pot, up to the pot's capacity. */
export function addWater(device: Device, amountMl: number, now: number): void {
  const { surroundings, soil } = device;
  device.pumped = { at: now, reportedAt: null };
  const raised = soil.humidity + (amountMl * surroundings.dryingPerDay) / mlPerDryDay;
  const held = Math.max(soil.humidity, surroundings.fieldCapacity);
  device.soil = { ...soil, humidity: Math.min(held, raised) };
}
