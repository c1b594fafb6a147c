import { expect, test } from 'vitest';
import { errorMessage } from '#client/api/http.ts';

const all = { message: 'm', detail: 'd', error: 'e', error_description: 'x' };
const { message: _m, ...fromDetail } = all;
const { detail: _d, ...fromError } = fromDetail;
const { error: _e, ...fromDescription } = fromError;

test.each<[body: unknown, message: string]>([
  [all, 'm'],
  [fromDetail, 'd'],
  [fromError, 'e'],
  [fromDescription, 'x'],
  [{ ...all, message: null }, 'd'],
  [{ ...all, message: '', detail: '' }, 'e'],
  [{ ...fromDetail, detail: [] }, 'e'],
  [{ code: 7 }, '{"code":7}'],
  [{ detail: [] }, '{"detail":[]}'],
  [[], '[]'],
  [{}, '{}'],
  ['Too tired', 'Too tired'],
  [418, '418'],
])('the message of %j is %s', (body, message) => {
  expect(errorMessage({ status: 400, body }, 'Request')).toBe(message);
});

test.each<[body: unknown]>([
  [['too dry', 'too dark']],
  [{ message: ['too dry', 'too dark'] }],
  [{ error: ['too dry', 'too dark'] }],
  [{ detail: ['too dry', 'too dark'] }],
])('the items of %j are joined with a comma', (body) => {
  expect(errorMessage({ status: 400, body }, 'Request')).toMatch(/^too dry, ?too dark$/);
});

test('a list of validation errors shows the last part of each location, then the message', () => {
  const detail = [
    { loc: ['body', 'nickname'], msg: 'Nickname is required', type: 'missing' },
    { loc: ['body', 'thresholds', 0], msg: 'Too small' },
    { loc: [], msg: 'Nowhere' },
    { msg: 'Somewhere' },
    'Anything',
  ];
  const message = errorMessage({ status: 422, body: { code: 'invalid', detail } }, 'Request');
  expect(message).toMatch(
    /^nickname\W+Nickname is required, ?0\W+Too small, ?Nowhere, ?Somewhere, ?Anything$/,
  );
});

test.each([
  ['Login', 401, 'Login failed with status 401'],
  ['Request', 500, 'Request failed with status 500'],
])('%s with status %d and a body that is not JSON says: %s', (call, status, message) => {
  expect(errorMessage({ status, body: undefined }, call)).toBe(message);
  expect(errorMessage({ status, body: null }, call)).toBe(message);
});
