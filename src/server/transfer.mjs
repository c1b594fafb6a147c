// @ts-check
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, projectRoot } from './build-if-needed.mjs';

process.chdir(projectRoot);
buildIfNeeded();
await import(pathToFileURL(path.join(projectRoot, 'dist', 'transfer', 'main.js')).href);
