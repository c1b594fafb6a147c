// @ts-check
import { runBuilt } from './build-if-needed.mjs';

await runBuilt('simulator');
