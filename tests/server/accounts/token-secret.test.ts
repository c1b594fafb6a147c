import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadTokenSecret } from '#server/accounts/token-secret.ts';
import { ConfigError } from '#server/start/config.ts';
import { describeStartError } from '#server/start/start-error.ts';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-secret-'));
  file = path.join(dataDir, 'token-secret');
});
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

test('creates the secret once, readable by its owner only', () => {
  const secret = loadTokenSecret(dataDir);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(loadTokenSecret(dataDir)).toBe(secret);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(dataDir)).toEqual(['token-secret']);
});

test('ignores an incomplete temporary file that a power cut left behind', () => {
  fs.writeFileSync(`${file}.${process.pid}`, 'half');
  expect(loadTokenSecret(dataDir)).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['empty', ''],
  ['blank', '\n'],
  ['cut short', 'a'.repeat(20)],
  ['of other letters', '\0'.repeat(64)],
])('rejects a secret that is %s, names its file and does not change it', (_, text) => {
  fs.writeFileSync(file, text);
  const start = () => loadTokenSecret(dataDir);
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(`${file} is damaged; restore it`);
  expect(fs.readFileSync(file, 'utf8')).toBe(text);
});

test('rejects a secret that cannot be read and names its file in one line', () => {
  fs.mkdirSync(file);
  let message = '';
  try {
    loadTokenSecret(dataDir);
  } catch (error) {
    message = describeStartError(error);
  }
  expect(message).toContain(`${file} cannot be read (EISDIR)`);
  expect(message).not.toContain('\n');
});
