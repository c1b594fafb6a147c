import type { ProvidedContext } from 'vitest';
import { buildIfNeeded } from '../../src/build/build-if-needed.mjs';
import * as builtApp from '../e2e/support/server/built-app.ts';
import * as cluster from '../support/database/cluster.ts';
import * as postgres from '../support/database/postgres.ts';
import { provideOutsideVitest } from '../support/provided.ts';
import { type Bench, run } from './support/bench.ts';
import { installPeers } from './support/peers.ts';
import { writeResults } from './support/results/results.ts';

const benches = import.meta.glob<{ bench: Bench }>('./*.bench.ts');

const hasCluster = Boolean(process.env.CITUS_URL);

/** The benches that can run here: with CITUS_URL only the cluster's, without it all others. */
const available = Object.keys(benches).filter(
  (file) => (nameOf(file) === 'cluster') === hasCluster,
);

/** Runs the benches of these names, or all, one after another, and writes each one's section of RESULTS.md. */
export async function runBenches(names: readonly string[]): Promise<void> {
  const files = available.filter((file) => names.length === 0 || names.includes(nameOf(file)));
  if (files.length === 0) {
    const condition = hasCluster ? 'with' : 'without';
    throw new Error(`Benches ${condition} CITUS_URL: ${available.map(nameOf).join(', ')}`);
  }
  const values: Partial<ProvidedContext> = {};
  const project = {
    provide: <Name extends keyof ProvidedContext>(name: Name, value: ProvidedContext[Name]) => {
      values[name] = value;
    },
    getProvidedContext: () => values as ProvidedContext,
  };
  provideOutsideVitest(values);
  installPeers();
  const stop = hasCluster
    ? await cluster.setup(project)
    : await postgres.setup(project, { isDurable: true });
  try {
    if (hasCluster) buildIfNeeded();
    else await builtApp.setup(project);
    for (const file of files) {
      console.log(`\n${nameOf(file)}…`);
      const { bench } = (await benches[file]?.()) ?? {};
      if (bench) writeResults(await run(bench));
    }
  } finally {
    await stop();
  }
}

function nameOf(file: string): string {
  return file.replace(/^.*\/|\.bench\.ts$/g, '');
}
