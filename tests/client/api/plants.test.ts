import { expect, test } from 'vitest';
import {
  fallbackTexts,
  fetchLogs,
  fetchPlants,
  fetchPlantsWithReadings,
} from '#client/api/plants.ts';
import type { RequestOptions } from '#client/api/send.ts';
import { plantRecord } from '../../support/device/device-rows.ts';
import { brokenNetwork, captivePortal, fetchResponding } from '../../support/device/fetch-stub.ts';

const reading = {
  timestamp: '2026-11-20T08:00:00Z',
  soil_humidity: 40,
  air_humidity: null,
  temperature: null,
  luminance: null,
};

interface Row {
  name: string;
  call: (call: RequestOptions) => Promise<unknown>;
  fallback: string;
  /** A valid response body. */
  response: unknown;
}

const rows: Row[] = [
  {
    name: 'the plants',
    call: (call) => fetchPlants(call),
    fallback: 'Failed to fetch plants',
    response: [plantRecord()],
  },
  {
    name: 'the plants with readings',
    call: (call) => fetchPlantsWithReadings(call),
    fallback: 'Failed to fetch plants with readings',
    response: [{ ...plantRecord(), latest_temperature: 0 }],
  },
  {
    name: 'the logs',
    call: (call) => fetchLogs(7, {}, call),
    fallback: 'Failed to fetch logs for plant with ID 7',
    response: [reading],
  },
];

test.each(rows)('$name: a response of the right shape succeeds', async ({ call, response }) => {
  await expect(call(fetchResponding(200, response))).resolves.not.toThrow();
});

test.each(rows)('$name: without a response the text is "$fallback"', async ({ call, fallback }) => {
  for (const fetch of [brokenNetwork, fetchResponding(200, captivePortal).fetch]) {
    await expect(call({ fetch })).rejects.toMatchObject({ message: fallback, status: null });
  }
});

test.each(rows)('$name: an error response shows the message of the server', async ({ call }) => {
  const { fetch } = fetchResponding(422, { message: 'The soil objects' });
  await expect(call({ fetch })).rejects.toThrow('The soil objects');
});

test.each(rows)('$name: a 401 says that authentication is required', async ({ call }) => {
  const { fetch } = fetchResponding(401, { message: 'x' });
  await expect(call({ fetch })).rejects.toThrow('Authentication required');
});

test.each([
  [fallbackTexts.plants, 'Failed to fetch plants'],
  [fallbackTexts.plantsWithReadings, 'Failed to fetch plants with readings'],
  [fallbackTexts.plant('7'), 'Failed to fetch plant with ID 7'],
  [fallbackTexts.logs('7'), 'Failed to fetch logs for plant with ID 7'],
  [fallbackTexts.logsSummary('7'), 'Failed to fetch logs summary for plant with ID 7'],
  [fallbackTexts.createLog, 'Failed to create sensor log'],
])('the fallback text is the one in the spec: %s', (text, expected) => {
  expect(text).toBe(expected);
});
