// @ts-check
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { missingPackages, withMissingPackages, withoutAddedPackages } from './lock-file.mjs';

// Brings package-lock.json in line with package.json and adds the entries that npm leaves out (see lock-file.mjs).
// Run it after every change of dependencies.
const root = new URL('..', import.meta.url);
const file = new URL('package-lock.json', root);

const before = fs.readFileSync(file);
write(withoutAddedPackages(read()));
try {
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: root,
    stdio: 'inherit',
  });
} catch (error) {
  fs.writeFileSync(file, before);
  throw error;
}
const lock = read();
write(withMissingPackages(lock));
console.log(`Added ${missingPackages(lock).length} entries for packages that the registry lacks`);

function read() {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** @param {import('./lock-file.mjs').LockFile} lock */
function write(lock) {
  fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
