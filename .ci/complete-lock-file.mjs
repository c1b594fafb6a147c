// @ts-check
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPackages, withMissingPackages, withoutAddedPackages } from './lock-file.mjs';

// Brings package-lock.json in line with package.json and adds the entries that npm leaves out (see lock-file.mjs).
// Run it after every change of dependencies. npm works on a copy, so that the lock file stays as it is if npm fails or
// is interrupted.
const root = fileURLToPath(new URL('..', import.meta.url));
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-lock-'));

try {
  for (const name of ['package.json', '.npmrc']) {
    fs.copyFileSync(path.join(root, name), path.join(copy, name));
  }
  write(copy, withoutAddedPackages(read(root)));
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: copy,
    stdio: 'inherit',
  });
  const lock = read(copy);
  write(root, withMissingPackages(lock));
  console.log(`Added ${missingPackages(lock).length} entries for packages that the registry lacks`);
} finally {
  fs.rmSync(copy, { recursive: true });
}

/** @param {string} folder */
function read(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
}

/**
 * @param {string} folder
 * @param {import('./lock-file.mjs').LockFile} lock
 */
function write(folder, lock) {
  const text = `${JSON.stringify(lock, null, 2)}\n`;
  fs.writeFileSync(path.join(folder, 'package-lock.json'), text);
}
