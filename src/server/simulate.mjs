// @ts-check
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, projectRoot } from './build-if-needed.mjs';

// `npm run build` makes the simulator's bundle beside the server's: whoever built one has both.
process.chdir(projectRoot);
buildIfNeeded();
await import(pathToFileURL(path.join(projectRoot, 'dist', 'simulator', 'main.js')).href);
