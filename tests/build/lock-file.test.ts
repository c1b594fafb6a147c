import fs from 'node:fs';
import { expect, test } from 'vitest';
import {
  type LockFile,
  missingPackages,
  platformOf,
  withMissingPackages,
  withoutAddedPackages,
} from '../../.ci/lock-file.mjs';

const text = fs.readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
const locked: LockFile = JSON.parse(text);

test('the lock file has an entry for every optional package (if not, run `npm run lock`)', () => {
  expect(missingPackages(locked)).toEqual([]);
});

test('the lock file names no registry host', () => {
  expect(text).not.toMatch(/"resolved": "(?!file:)/);
});

test('reports a missing entry', () => {
  const { 'node_modules/@biomejs/cli-darwin-arm64': removed, ...packages } = locked.packages;
  expect(missingPackages({ packages })).toEqual([
    {
      parent: 'node_modules/@biomejs/biome',
      name: '@biomejs/cli-darwin-arm64',
      range: removed?.version,
    },
  ]);
});

test('reports an entry with the wrong version', () => {
  const lock = lockOf({ 'node_modules/tool-linux-x64': { version: '1.0.0' } });
  expect(missingPackages(lock)).toEqual([
    { parent: 'node_modules/tool', name: 'tool-linux-x64', range: '2.0.0' },
  ]);
});

test('finds an entry wherever Node would find the package', () => {
  const entry = { version: '2.0.0' };
  const nested = { 'node_modules/a/node_modules/tool': tool };
  for (const lock of [
    lockOf({ 'node_modules/tool-linux-x64': entry }),
    lockOf({ 'node_modules/tool/node_modules/tool-linux-x64': entry }),
    { packages: { ...nested, 'node_modules/a/node_modules/tool-linux-x64': entry } },
    { packages: { ...nested, 'node_modules/tool-linux-x64': entry } },
  ]) {
    expect(missingPackages(lock)).toEqual([]);
  }
});

test('writes entries in the order and format of npm', () => {
  // `npm install` of npm 10 removes every `libc` field.
  const asText = (lock: LockFile) =>
    JSON.stringify(lock, (key, value) => (key === 'libc' ? undefined : value), 2);
  expect(asText(withMissingPackages(withoutAddedPackages(locked)))).toBe(asText(locked));
});

test('nests an entry in its parent if another version is at the top level', () => {
  const lock = lockOf({ 'node_modules/tool-linux-x64': { version: '1.0.0' } });
  const completed = withMissingPackages(lock);
  expect(completed.packages['node_modules/tool-linux-x64']?.version).toBe('1.0.0');
  expect(completed.packages['node_modules/tool/node_modules/tool-linux-x64']).toEqual({
    version: '2.0.0',
    cpu: ['x64'],
    dev: true,
    optional: true,
    os: ['linux'],
  });
  expect(missingPackages(completed)).toEqual([]);
});

test('marks an entry as a development dependency only if all its parents are', () => {
  const { dev, ...forProduction } = tool;
  const lock = lockOf({ 'node_modules/server': forProduction });
  expect(withMissingPackages(lock).packages['node_modules/tool-linux-x64']).not.toHaveProperty(
    'dev',
  );
});

test('rejects a package whose version or platform cannot be derived', () => {
  const needs = (name: string, range: string) => ({
    packages: { 'node_modules/tool': { optionalDependencies: { [name]: range } } },
  });
  expect(() => withMissingPackages(needs('tool-linux-x64', '^2.0.0'))).toThrow('not pinned');
  expect(() => withMissingPackages(needs('tool-wasm32-wasi', '2.0.0'))).toThrow('platform');
});

test.each([
  ['@biomejs/cli-win32-arm64', { os: ['win32'], cpu: ['arm64'] }],
  ['@rollup/rollup-android-arm-eabi', { os: ['android'], cpu: ['arm'] }],
  ['@rollup/rollup-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
  ['@rollup/rollup-linux-arm-musleabihf', { os: ['linux'], cpu: ['arm'], libc: ['musl'] }],
  ['@rollup/rollup-win32-x64-gnu', { os: ['win32'], cpu: ['x64'] }],
])('derives the platform from the name %s', (name, platform) => {
  expect(platformOf(name)).toEqual(platform);
});

test('the platform derived from the name of a published package equals the one in its metadata', () => {
  const native = Object.entries(locked.packages).flatMap(([location, entry]) => {
    const isPublished = entry.integrity && entry.optional && entry.os && entry.cpu;
    return isPublished ? [{ name: location.replace(/^.*node_modules\//, ''), entry }] : [];
  });
  expect(native.length).toBeGreaterThan(50);
  for (const { name, entry } of native) {
    const { os, cpu, libc } = platformOf(name);
    expect({ name, os, cpu }).toEqual({ name, os: entry.os, cpu: entry.cpu });
    if (libc && entry.libc) expect({ name, libc }).toEqual({ name, libc: entry.libc });
  }
});

const tool = { version: '2.0.0', dev: true, optionalDependencies: { 'tool-linux-x64': '2.0.0' } };

function lockOf(packages: LockFile['packages']): LockFile {
  return { packages: { 'node_modules/tool': tool, ...packages } };
}
