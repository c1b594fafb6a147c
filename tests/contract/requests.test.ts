import { expect, test } from 'vitest';
import {
  currentUserRequest,
  loginRequest,
  logoutRequest,
  registerRequest,
} from '#contract/auth.ts';
import { createLogRequest, logsRequest } from '#contract/logs.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  plantRequest,
  plantsRequest,
  plantsWithReadingsRequest,
  updatePlantRequest,
  waterPlantRequest,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { plantPayload } from '../support/factories.ts';

const login = { username_or_email: 'rose@garden.org', password: 'p', rememberMe: true };
const person = { username: 'Rose', email: 'rose@garden.org', password: 'rose-garden' };
const log = {
  plant_id: 'p1',
  soil_humidity: 0,
  air_humidity: null,
  temperature: 21.5,
  luminance: null,
};
const range = { limit: 24, from: '2026-11-20T00:00:00+07:00', to: undefined };

test.each<[ApiRequest, call: string, body: unknown]>([
  [loginRequest(login), 'POST /auth/login', login],
  [registerRequest(person), 'POST /auth/register', person],
  [logoutRequest(), 'POST /auth/logout', null],
  [currentUserRequest(), 'GET /auth/me', null],
  [plantsRequest(), 'GET /api/plants', null],
  [plantsWithReadingsRequest(), 'GET /api/plants/with-latest-readings', null],
  [plantRequest('p1'), 'GET /api/plants/p1', null],
  [plantRequest(12), 'GET /api/plants/12', null],
  [createPlantRequest(plantPayload()), 'POST /api/plants', plantPayload()],
  [updatePlantRequest('p1', plantPayload(), null), 'PUT /api/plants/p1', plantPayload()],
  [deletePlantRequest('p1'), 'DELETE /api/plants/p1', null],
  [waterPlantRequest('p1'), 'POST /api/plants/p1/water', null],
  [waterPlantRequest('p1', { amount: 200 }), 'POST /api/plants/p1/water?amount=200', null],
  [
    waterPlantRequest('p1', { amount: undefined, watered_at: '2026-11-20T08:00:00.000Z' }),
    'POST /api/plants/p1/water?watered_at=2026-11-20T08%3A00%3A00.000Z',
    null,
  ],
  [createLogRequest(log), 'POST /api/logs', log],
  [logsRequest('p1'), 'GET /api/logs/plant/p1', null],
  [
    logsRequest('p1', range),
    'GET /api/logs/plant/p1?limit=24&from=2026-11-20T00%3A00%3A00%2B07%3A00',
    null,
  ],
])('request %# has the method, path and body of the API', (request, call, body) => {
  expect(`${request.method} ${request.path}`).toBe(call);
  expect(request.body === null ? null : JSON.parse(request.body)).toEqual(body);
  expect(request.ifMatch).toBeNull();
});

test('the If-Match of an update is the version that it was merged with', () => {
  expect(updatePlantRequest('p1', plantPayload(), '"v7"').ifMatch).toBe('"v7"');
});

test.each([
  ['a/b', 'a%2Fb'],
  ['?x=1#y', '%3Fx%3D1%23y'],
  ['rosé 1', 'ros%C3%A9%201'],
  ["$&$1$'", "%24%26%241%24'"],
  ['100%', '100%25'],
  [':id', '%3Aid'],
  [0, '0'],
])('escapes the opaque id %j as one path segment', (id, escaped) => {
  expect(waterPlantRequest(id).path).toBe(`/api/plants/${escaped}/water`);
  expect(logsRequest(id).path).toBe(`/api/logs/plant/${escaped}`);
});

test('serializes the same request to the same text, so that a resend repeats it byte for byte', () => {
  const first = JSON.stringify(updatePlantRequest('p1', plantPayload(), '"v1"'));
  expect(JSON.stringify(updatePlantRequest('p1', plantPayload(), '"v1"'))).toBe(first);
});
