// @ts-check
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// This file is JavaScript, not TypeScript, because it runs before anything is built.
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
/** Contains the fingerprint of the sources from which dist/ was built. */
export const stampFile = path.join(projectRoot, 'dist', 'built-from');
const sources = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];

/** Builds everything unless dist/ was built from the same sources. */
export function buildIfNeeded() {
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === fingerprint()) return;
  console.log('Building Sprig…');
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * A hash of contents rather than dates, because a fresh checkout changes the dates. README.md and hidden files are left
 * out, because nothing is built from them, and because an editor's hidden lock file may be a link without a target.
 */
export function fingerprint() {
  const hash = createHash('sha256').update(`${process.env.VITE_API_URL ?? ''}\0`);
  for (const source of sources) {
    for (const file of filesUnder(path.join(projectRoot, source))) {
      hash.update(`${path.relative(projectRoot, file)}\0`).update(fs.readFileSync(file));
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function filesUnder(place) {
  if (fs.statSync(place).isFile()) return [place];
  return fs
    .readdirSync(place)
    .filter((name) => name !== 'README.md' && !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesUnder(path.join(place, name)));
}
