// @ts-check
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, projectRoot } from './build-if-needed.mjs';

// Runs one of the programs: node src/build/run-built.mjs server|simulator|transfer|distribute
const [program = 'server'] = process.argv.splice(2, 1);
process.chdir(projectRoot);
buildIfNeeded();
await import(pathToFileURL(path.join(projectRoot, 'dist', program, 'main.js')).href);
