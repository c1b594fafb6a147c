import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { CommandResult, DeviceCommand, LogResponse } from '#contract/logs.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { autoWateringNote } from '#domain/watering/reasons.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import { plantPayload } from '../factories.ts';
import { type RequestFunction, type RequestOptions, requestAs } from './request.ts';
import { type Account, addPlant, type TestServer } from './server.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Readings closer together than this (ms) count as one. */
export const apartMs = wateringLimits.minGapMs;

export interface WateringRow {
  watered_at: Date;
  source: 'manual' | 'auto';
  amount_ml: number | null;
  soil_before: number | null;
}

/** A plant with automatic watering below 30 % soil humidity, due every 3 days. */
export interface Pot {
  account: Account;
  request: RequestFunction;
  id: string;
  send: (log: object, options?: RequestOptions) => Promise<LightMyRequestResponse>;
  /** Sends a reading, by default with the current time; resolves to the commands in the response. */
  log: (log: object, options?: RequestOptions) => Promise<DeviceCommand[]>;
  /** Sends readings of soil humidity, advancing the clock by `apartMs` before each; resolves to the last commands. */
  reportSoil: (...soil: number[]) => Promise<DeviceCommand[]>;
  /** Sends up to three dry readings, `apartMs` apart, and resolves to the command that must follow. */
  reportDrySoil: () => Promise<DeviceCommand>;
  /** Sends results of commands with a dry reading. */
  report: (...results: CommandResult[]) => Promise<DeviceCommand[]>;
  water: (query?: Record<string, string>) => Promise<LightMyRequestResponse>;
  edit: (changes?: Partial<PlantFields>) => Promise<LightMyRequestResponse>;
  record: () => Promise<PlantRecord>;
  /** Its version as an ETag. */
  etag: () => Promise<unknown>;
  /** Why it was not watered, as the text that the screen shows. */
  note: () => Promise<string | null>;
  /** The same in the plant itself, in the list, and in the list with readings. */
  notes: () => Promise<(string | null)[]>;
  /** Oldest first. */
  waterings: () => Promise<WateringRow[]>;
  /** How many commands were ever issued. */
  commandsGiven: () => Promise<number>;
}

const automatic = { device_id: 'pot-1', auto_watering_enabled: true };

export async function openPot(
  server: TestServer,
  changes: Partial<PlantFields> = {},
  owner?: Account,
): Promise<Pot> {
  const account = owner ?? (await server.addAccount());
  const request = requestAs(server, account);
  const fields = plantPayload({ ...automatic, ...changes });
  const { id } = await addPlant(server, account, fields);
  const send: Pot['send'] = (log, options) =>
    request('POST', '/api/logs', { payload: { plant_id: id, ...log }, ...options });
  const log: Pot['log'] = async (values, options) => commandsIn(await send(values, options));
  const reportSoil: Pot['reportSoil'] = async (...soil) => {
    let commands: DeviceCommand[] = [];
    for (const soil_humidity of soil) {
      server.clock.advance(apartMs);
      commands = await log({ soil_humidity });
    }
    return commands;
  };
  const one = () => request('GET', `/api/plants/${id}`);
  const select = async <T extends object>(columns: string, table: string) => {
    const text = `SELECT ${columns} FROM ${table} WHERE plant_id = $1 ORDER BY id`;
    return (await server.db.pool.query<T>(text, [id])).rows;
  };
  return {
    account,
    request,
    id,
    send,
    log,
    reportSoil,
    reportDrySoil: async () => {
      let commands = await reportSoil(20);
      for (let i = 1; i < 3 && commands.length === 0; i++) commands = await reportSoil(20);
      return onlyCommand(commands);
    },
    report: (...command_results) => log({ soil_humidity: 20, command_results }),
    water: (query = {}) => request('POST', `/api/plants/${id}/water?${new URLSearchParams(query)}`),
    edit: (edits = {}) =>
      request('PUT', `/api/plants/${id}`, { payload: plantPayload({ ...fields, ...edits }) }),
    record: async () => (await one()).json(),
    etag: async () => (await one()).json().etag,
    note: async () => noteIn((await one()).json(), server),
    notes: async () => {
      const [listed] = (await request('GET', '/api/plants')).json();
      const [withReadings] = (await request('GET', '/api/plants/with-latest-readings')).json();
      return [(await one()).json(), listed, withReadings].map((record) => noteIn(record, server));
    },
    waterings: () => select<WateringRow>('watered_at, source, amount_ml, soil_before', 'waterings'),
    commandsGiven: async () => (await select('id', 'watering_commands')).length,
  };
}

/** Expects this note in the responses to all three requests that read the plant. */
export async function expectNote(pot: Pot, note: string | null): Promise<void> {
  expect(await pot.notes()).toEqual([note, note, note]);
}

/** The text that the screen makes from the reason's code. The server's own text must be the same. */
function noteIn(record: PlantRecord, { clock }: Pick<TestServer, 'clock'>): string | null {
  const { auto_watering_note, ...withoutWords } = record;
  const words = autoWateringNote(withoutWords, clock().getTime());
  expect(auto_watering_note).toBe(words);
  return words;
}

export function commandsIn(response: LightMyRequestResponse): DeviceCommand[] {
  expect(response.statusCode, response.body).toBe(201);
  return response.json<LogResponse>().commands;
}

export function onlyCommand([command, ...others]: DeviceCommand[]): DeviceCommand {
  if (!command || others.length > 0) throw new Error('not one command');
  return command;
}
