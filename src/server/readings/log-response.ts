import type { DeviceCommand, LogPayload, LogResponse } from '#contract/logs.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import type { Transaction } from '../database/transaction.ts';
import { type ApiError, invalid } from '../http/api-error.ts';
import { plantNotFound } from '../plants/owned-plant.ts';
import { filterOpenCommands } from '../watering/commands.ts';
import { type FoundPlants, type LoggedPlant, lookupOf, type Report } from './logged-plants.ts';

/** The only plant that a report names; throws the error of the response if there is none or more than one. */
export function plantOf(report: Report, found: FoundPlants): LoggedPlant {
  const key = lookupOf(report);
  const [plant, ...others] = (key === null ? undefined : found.get(key)) ?? [];
  if (!plant) throw plantNotFound();
  if (others.length > 0) throw sharedDevice();
  return plant;
}

function sharedDevice(): ApiError {
  return invalid(['body', 'device_id'], 'belongs to several plants; send plant_id');
}

/** The stored reading and the commands for its device. */
export function responseTo(
  plant: Pick<LoggedPlant, 'id'>,
  { log, ts }: Report,
  commands: DeviceCommand[],
): LogResponse {
  const { soil_humidity, air_humidity, temperature, luminance } = log;
  return {
    plant_id: plant.id,
    timestamp: ts.toISOString(),
    soil_humidity,
    air_humidity,
    temperature,
    luminance,
    commands,
  };
}

/** A stored response without the commands that the device must not run any more. */
export async function withOpenCommands(
  tx: Transaction,
  userId: string,
  stored: LogResponse,
  now: Date,
): Promise<LogResponse> {
  return { ...stored, commands: await filterOpenCommands(tx, userId, stored.commands, now) };
}

/** A reading with its time: now by default. Throws a 422 for a time that is more than 5 min in the future. */
export function reportOf(log: LogPayload, now: Date): Report {
  if (log.timestamp === undefined) return { log, ts: now };
  const ts = new Date(log.timestamp);
  if (ts.getTime() - now.getTime() > wateringLimits.maxClockLeadMs) {
    throw invalid(['body', 'timestamp'], 'is in the future');
  }
  return { log, ts };
}
