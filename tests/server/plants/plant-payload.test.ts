import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import { plantPayload } from '../../support/factories.ts';
import { type RequestFunction, requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
let request: RequestFunction;
beforeAll(async () => {
  server = await openTestServer();
  request = requestAs(server, await server.addAccount());
});
afterAll(() => server.close());

/** Sends a create and an edit with these changes; both must be rejected. Resolves to their errors. */
async function refusals(changes: Record<string, unknown>): Promise<ErrorBody[]> {
  const account = await server.addAccount();
  const { id } = await addPlant(server, account);
  const payload = { ...plantPayload(), ...changes };
  const responses = [
    await requestAs(server, account)('POST', '/api/plants', { payload }),
    await requestAs(server, account)('PUT', `/api/plants/${id}`, { payload }),
  ];
  expect(responses.map((response) => response.statusCode)).toEqual([422, 422]);
  const list = await requestAs(server, account)('GET', '/api/plants');
  expect(list.json()).toMatchObject([{ id, ...plantPayload() }]);
  return responses.map((response) => response.json());
}

test('an error has the path of the field and says what is wrong with it', async () => {
  const refusal: ErrorBody = {
    code: 'invalid',
    message: 'nickname: Nickname is required',
    detail: [{ loc: ['body', 'nickname'], msg: 'Nickname is required' }],
  };
  expect(await refusals({ nickname: '' })).toEqual([refusal, refusal]);
});

test.each([
  ['nickname', 'Nickname is required'],
  ['plant_name', 'Plant name is required'],
  ['species', 'Species is required'],
  ['watering_frequency', 'Must be a positive number'],
])('%s is required', async (field, msg) => {
  const expected = { detail: [{ loc: ['body', field], msg }] };
  const missing = [
    undefined,
    null,
    ...(field === 'watering_frequency' ? [0, -1, '3'] : ['', '  ']),
  ];
  for (const value of missing) {
    expect(await refusals({ [field]: value })).toMatchObject([expected, expected]);
  }
});

test('all invalid fields are reported at once', async () => {
  const response = await request('POST', '/api/plants', { payload: {} });
  const { detail } = response.json<ErrorBody>();
  expect(detail?.map(({ loc }) => loc.join('.'))).toEqual([
    'body.nickname',
    'body.plant_name',
    'body.species',
    'body.watering_frequency',
  ]);
});

const pairs = [
  'ideal_temperature',
  'soil_humidity_threshold',
  'air_humidity_threshold',
  'temperature_threshold',
  'luminance_threshold',
] as const satisfies string[];

test.each(pairs)('the minimum of %s must be below its maximum', async (pair) => {
  for (const [min, max] of [
    [50, 50],
    [51, 50],
  ]) {
    const [created] = await refusals({ [`${pair}_min`]: min, [`${pair}_max`]: max });
    expect(created?.detail).toEqual([
      { loc: ['body', `${pair}_min`], msg: 'Minimum must be less than maximum' },
    ]);
  }
});

test.each(pairs)('%s may have only a minimum or only a maximum', async (pair) => {
  for (const [min, max] of [
    [50, null],
    [null, 50],
  ]) {
    const ends = { [`${pair}_min`]: min, [`${pair}_max`]: max };
    const payload = { ...plantPayload(), ...ends };
    const response = await request('POST', '/api/plants', { payload });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject(ends);
  }
});

test('five ranges with minimum above maximum get five errors', async () => {
  const ends = Object.fromEntries(
    pairs.flatMap((pair) => [
      [`${pair}_min`, 60],
      [`${pair}_max`, 40],
    ]),
  );
  const [created] = await refusals(ends);
  expect(created?.detail?.map(({ loc }) => loc.at(-1))).toEqual(pairs.map((pair) => `${pair}_min`));
});

test.each<Partial<Record<keyof PlantFields, unknown>>>([
  { soil_humidity_threshold_min: -1 },
  { soil_humidity_threshold_max: 101 },
  { air_humidity_threshold_min: -0.5 },
  { air_humidity_threshold_max: 100.5 },
  { luminance_threshold_min: -1 },
  { soil_humidity_threshold_min: '30' },
  { category: 'Cactus' },
  { category: 'indoor' },
  { sunlight_requirements: 'Bright Light' },
  { fertilizer_schedule: 'Every 2 Months' },
  { auto_watering_enabled: 'yes' },
  { device_id: 7 },
  { location: ['Bathroom'] },
  { nickname: 'x'.repeat(201) },
  { description: 'x'.repeat(20_001) },
  { watering_frequency: 1e9 },
])('%j is rejected', async (changes) => {
  const [created, edited] = await refusals(changes);
  expect(created?.detail?.map(({ loc }) => loc)).toEqual([['body', Object.keys(changes)[0]]]);
  expect(edited).toEqual(created);
});

test('values exactly at the limits of their fields are accepted', async () => {
  const payload = plantPayload({
    soil_humidity_threshold_min: 0,
    soil_humidity_threshold_max: 100,
    air_humidity_threshold_min: 0,
    air_humidity_threshold_max: 100,
    luminance_threshold_min: 0,
    nickname: 'x'.repeat(200),
    description: 'x'.repeat(20_000),
    category: 'Other',
    sunlight_requirements: 'Full Sun',
    fertilizer_schedule: 'Biannually',
  });
  const response = await request('POST', '/api/plants', { payload });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject(payload);
});

test('an error does not repeat the input', async () => {
  const [created] = await refusals({ category: 'a-secret-text', device_id: { secret: 1 } });
  expect(JSON.stringify(created)).not.toContain('secret');
});
