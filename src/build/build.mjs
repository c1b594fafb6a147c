// @ts-check
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { fingerprint, projectRoot, stampFile } from './build-if-needed.mjs';

// Builds the app and the Node programs into dist/. All builds run in one process, because loading Vite and its plugins
// takes longer than building a program.

const programs = {
  server: 'src/server/main.ts',
  simulator: 'src/simulator/main.ts',
  transfer: 'src/server/transfer/main.ts',
  distribute: 'src/server/distribute/main.ts',
};

process.env.NODE_ENV = 'production';
process.chdir(projectRoot);
// Taken before the build, because sources that change meanwhile must be built again.
const stamp = fingerprint();
// If this build fails, dist/ must not count as built from these sources.
fs.rmSync(stampFile, { force: true });
await Promise.all([
  build(),
  ...Object.entries(programs).map(([name, entry]) =>
    build({ build: { ssr: entry, outDir: path.join('dist', name) } }),
  ),
]);
fs.writeFileSync(stampFile, stamp);
