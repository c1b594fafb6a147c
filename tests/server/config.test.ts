import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';

const secret = 'x'.repeat(32);
const url = 'postgres://somebody@localhost/plants';

test('without any setting it serves this machine alone, with its own database and the demo', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: path.resolve('data'),
    databaseUrl: null,
    jwtSecret: null,
    demo: true,
  });
});

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ HOST: 'localhost' }, true],
  [{ HOST: '::1' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '0.0.0.0', DEMO: '1' }, true],
  [{ DEMO: '0' }, false],
  [{ DATABASE_URL: url, JWT_SECRET: secret }, false],
])('with %j the demo account is there: %s', (env, demo) => {
  expect(readConfig(env).demo).toBe(demo);
});

test('a blank setting is as good as none', () => {
  expect(readConfig({ PORT: '', HOST: '', DATABASE_URL: '' })).toEqual(readConfig({}));
});

test.each<[Record<string, string>, RegExp]>([
  [{ PORT: 'eighty' }, /^PORT must be a number/],
  [{ PORT: '65536' }, /^PORT must be a number/],
  [{ PORT: '-1' }, /^PORT must be a number/],
  [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must start with postgres/],
  [{ DATABASE_URL: url }, /^JWT_SECRET is required/],
  [{ JWT_SECRET: 'short' }, /^JWT_SECRET must have 32/],
  [{ DEMO: 'yes' }, /^DEMO must be 0 or 1/],
  [{ PORT: 'x', DEMO: 'y' }, /PORT .*; DEMO /],
])('%j is refused by name', (env, message) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(message);
});

test('a refusal never repeats a secret', () => {
  const read = () => readConfig({ JWT_SECRET: 'hunter2', DATABASE_URL: 'x://me:hunter2@db' });
  expect(read).toThrow(ConfigError);
  expect(read).not.toThrow(/hunter2/);
});
