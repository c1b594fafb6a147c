// @ts-check
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Plain JavaScript because it runs before anything is built. `npm start` builds only what changed since.
const root = fileURLToPath(new URL('../..', import.meta.url));
const stampFile = path.join(root, 'dist', 'built-from');
const sources = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];

process.chdir(root);
const stamp = fingerprint();
if (!fs.existsSync(stampFile) || fs.readFileSync(stampFile, 'utf8') !== stamp) {
  console.log('Building Sprig…');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  fs.writeFileSync(stampFile, stamp);
}
await import(pathToFileURL(path.join(root, 'dist', 'server', 'main.js')).href);

/** Of the contents, not of dates: a fresh checkout of the same commit is not a change. */
function fingerprint() {
  const hash = createHash('sha256').update(process.env.VITE_API_URL ?? '');
  for (const source of sources) {
    for (const file of filesUnder(path.join(root, source))) {
      hash
        .update(path.relative(root, file))
        .update('\0')
        .update(fs.readFileSync(file))
        .update('\0');
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
  const entries = fs
    .readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => filesUnder(path.join(place, entry.name)));
}
