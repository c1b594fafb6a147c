import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadTokenSecret } from '#server/accounts/token-secret.ts';
import { ConfigError } from '#server/config.ts';
import { describeStartError } from '#server/start-error.ts';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-secret-'));
  file = path.join(dataDir, 'token-secret');
});
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

test('a secret is made once, for its owner alone', () => {
  const secret = loadTokenSecret(dataDir);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(loadTokenSecret(dataDir)).toBe(secret);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(dataDir)).toEqual(['token-secret']);
});

test('a draft that a power cut left behind is in nobody’s way', () => {
  fs.writeFileSync(`${file}.${process.pid}`, 'half');
  expect(loadTokenSecret(dataDir)).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['empty', ''],
  ['blank', '\n'],
  ['cut short', 'a'.repeat(20)],
  ['of other letters', '\0'.repeat(64)],
])('a secret that is %s is refused by name and left alone', (_, text) => {
  fs.writeFileSync(file, text);
  const start = () => loadTokenSecret(dataDir);
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(`${file} is damaged; restore it`);
  expect(fs.readFileSync(file, 'utf8')).toBe(text);
});

test('a secret that cannot be read is refused by name, without what is in it', () => {
  fs.mkdirSync(file);
  let said = '';
  try {
    loadTokenSecret(dataDir);
  } catch (error) {
    said = describeStartError(error);
  }
  expect(said).toContain(`${file} cannot be read (EISDIR)`);
  expect(said).not.toContain('\n');
});
