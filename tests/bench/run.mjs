// @ts-check
import { runnerImport } from 'vite';

// `npm run bench` runs every bench, `npm run bench -- list sync` those two. Vite resolves and compiles TypeScript.
const { module } = await runnerImport('./tests/bench/run.ts');
await module.runBenches(process.argv.slice(2));
