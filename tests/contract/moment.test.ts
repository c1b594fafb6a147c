import { expect, test } from 'vitest';
import { momentSchema } from '#contract/moment.ts';
import { accepts } from './support/schema-errors.ts';

test.each([
  '2026-11-20T08:00:00Z',
  '2026-11-20T08:00:00.123Z',
  '2026-11-20T08:00:00+07:00',
  '2026-11-20T08:00:00+0700',
  '2026-11-20T08:00:00+07',
  '2026-11-20T08:00:00.123456789-03',
  '2028-02-29T23:59:59Z',
])('accepts the timestamp %s', (text) => {
  expect(accepts(momentSchema, text)).toBe(true);
});

test.each([
  '2026-11-20',
  '2026-11-20T08:00:00',
  '2026-02-31T08:00:00Z',
  '2027-02-29T08:00:00Z',
  '2026-11-20T25:00:00Z',
  '2026-02-31T08:00:00+07',
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00+07',
  'Fri, 20 Nov 2026 08:00:00 GMT',
  '',
  1_700_000_000_000,
  null,
])('rejects the timestamp %j', (input) => {
  expect(accepts(momentSchema, input)).toBe(false);
});
