import { expect, test } from 'vitest';
import {
  createDeviceToken,
  deleteDeviceToken,
  fetchDeviceTokens,
} from '#client/api/device-tokens.ts';
import { createLog, fetchLogs, fetchLogsSummary } from '#client/api/logs.ts';
import {
  createPlant,
  deletePlant,
  fetchLatestReadings,
  fetchPlant,
  fetchPlants,
  fetchPlantsWithReadings,
  updatePlant,
  waterPlant,
} from '#client/api/plants.ts';
import type { RequestOptions } from '#client/api/send.ts';
import { plantRecord } from '../../support/device-rows.ts';
import { plantPayload } from '../../support/factories.ts';
import { brokenNetwork, captivePortal, fetchAnswering } from '../../support/fetch-stub.ts';

const plant = plantPayload();
const log = {
  plant_id: '7',
  soil_humidity: 40,
  air_humidity: null,
  temperature: null,
  luminance: null,
};
const reading = {
  timestamp: '2026-11-20T08:00:00Z',
  soil_humidity: 40,
  air_humidity: null,
  temperature: null,
  luminance: null,
};
const measure = { min: 1, max: 3, avg: 2, count: 3 };
const summary = {
  soil_humidity: measure,
  air_humidity: measure,
  temperature: measure,
  luminance: measure,
  from: null,
  to: null,
};
const deviceToken = {
  id: 'a',
  device_id: 'pot-1',
  created_at: '2026-11-20T08:00:00Z',
  last_used_at: null,
};

interface Row {
  name: string;
  call: (call: RequestOptions) => Promise<unknown>;
  fallback: string;
  /** An answer that it is content with. */
  answer: unknown;
}

const rows: Row[] = [
  {
    name: 'the plants',
    call: (call) => fetchPlants(call),
    fallback: 'Failed to fetch plants',
    answer: [plantRecord()],
  },
  {
    name: 'the plants with readings',
    call: (call) => fetchPlantsWithReadings(call),
    fallback: 'Failed to fetch plants with readings',
    answer: [{ ...plantRecord(), latest_temperature: 0 }],
  },
  {
    name: 'one plant',
    call: (call) => fetchPlant(7, call),
    fallback: 'Failed to fetch plant with ID 7',
    answer: plantRecord(),
  },
  {
    name: 'the latest readings',
    call: (call) => fetchLatestReadings(7, call),
    fallback: 'Failed to load plant data',
    answer: reading,
  },
  {
    name: 'a new plant',
    call: (call) => createPlant(plant, call),
    fallback: 'Failed to create plant',
    answer: plantRecord(),
  },
  {
    name: 'an edit',
    call: (call) => updatePlant(7, plant, null, call),
    fallback: 'Failed to update plant with ID 7',
    answer: plantRecord(),
  },
  {
    name: 'a deletion',
    call: (call) => deletePlant(7, call),
    fallback: 'Failed to delete plant with ID 7',
    answer: { message: 'Plant deleted' },
  },
  {
    name: 'a watering',
    call: (call) => waterPlant(7, {}, call),
    fallback: 'Failed to water plant with ID 7',
    answer: plantRecord(),
  },
  {
    name: 'the logs',
    call: (call) => fetchLogs(7, {}, call),
    fallback: 'Failed to fetch logs for plant with ID 7',
    answer: [reading],
  },
  {
    name: 'the summary',
    call: (call) => fetchLogsSummary(7, call),
    fallback: 'Failed to fetch logs summary for plant with ID 7',
    answer: summary,
  },
  {
    name: 'a new log',
    call: (call) => createLog(log, call),
    fallback: 'Failed to create sensor log',
    answer: { commands: [] },
  },
  {
    name: 'the devices',
    call: (call) => fetchDeviceTokens(call),
    fallback: 'Failed to load devices',
    answer: [deviceToken],
  },
  {
    name: 'a new device',
    call: (call) => createDeviceToken('pot-1', call),
    fallback: 'Failed to add device',
    answer: { ...deviceToken, token: 'sprig_x' },
  },
  {
    name: 'the removal of a device',
    call: (call) => deleteDeviceToken('a', call),
    fallback: 'Failed to remove device',
    answer: { message: 'Device token revoked' },
  },
];

test.each(rows)('$name succeed with the answer of the API', async ({ call, answer }) => {
  await expect(call(fetchAnswering(200, answer))).resolves.not.toThrow();
});

test.each(rows)('$name without an answer say: $fallback', async ({ call, fallback }) => {
  for (const fetch of [brokenNetwork, fetchAnswering(200, captivePortal).fetch]) {
    await expect(call({ fetch })).rejects.toMatchObject({ message: fallback, status: null });
  }
});

test.each(rows)('$name refused say why in the words of the server', async ({ call }) => {
  const { fetch } = fetchAnswering(422, { message: 'The soil objects' });
  await expect(call({ fetch })).rejects.toThrow('The soil objects');
});

test.each(rows)('$name without a session say that one is needed', async ({ call }) => {
  const { fetch } = fetchAnswering(401, { message: 'x' });
  await expect(call({ fetch })).rejects.toThrow('Authentication required');
});

test('a plant that never reported has no latest reading', async () => {
  const nulls = { timestamp: null, soil_humidity: null, temperature: null };
  expect(await fetchLatestReadings(7, fetchAnswering(200, nulls))).toBeNull();
});
