// @ts-check

import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../src/build/build-if-needed.mjs';
import { nodeOf } from './other-node.mjs';
import { openPostgres15 } from './postgres-15.mjs';
import { suite } from './suite.mjs';

/**
 * Runs the tests that take too long for `npm test`. Each part prints one line; the exit code is 0 if at least one part
 * was chosen and none failed. `npm run test:long -- kill hostile` runs the parts whose names contain one of these
 * words.
 */

const seed = process.env.SPRIG_SEED ?? String(Date.now() % 1_000_000_000);
const killRounds = process.env.SPRIG_KILL_ROUNDS ?? '25';
const hostileRequests = process.env.SPRIG_HOSTILE_REQUESTS ?? '5000';
const syncSchedules = process.env.SPRIG_SYNC_SCHEDULES ?? '20000';
const journalHistories = process.env.SPRIG_JOURNAL_HISTORIES ?? '200';
const propertyRuns = process.env.SPRIG_PROPERTY_RUNS ?? '3000';

/** The test files with properties that fast-check checks. */
const withProperties = fs
  .readdirSync(path.join(projectRoot, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => path.join('tests', name))
  .filter((file) =>
    fs.readFileSync(path.join(projectRoot, file), 'utf8').includes('support/properties.ts'),
  );

/** A database on the coordinator of a Citus cluster, see tests/README.md. */
const clusterUrl = process.env.CITUS_URL ?? '';
// Only the Citus part uses the cluster.
delete process.env.CITUS_URL;

/** @type {readonly { name: string, run: () => Promise<string>, needs?: string }[]} */
const parts = [
  {
    name: 'kill -9',
    run: () =>
      suite(['tests/server/durability'], { SPRIG_KILL_ROUNDS: killRounds, SPRIG_SEED: seed }),
  },
  {
    name: 'hostile requests',
    run: () =>
      suite(['tests/server/http/hostile/hostile-requests'], {
        SPRIG_HOSTILE_REQUESTS: hostileRequests,
        SPRIG_SEED: seed,
      }),
  },
  {
    name: 'sync schedules',
    run: () =>
      suite(['tests/client/sync/crash-model/crash-'], {
        SPRIG_SYNC_SCHEDULES: syncSchedules,
        SPRIG_SEED: seed,
      }),
  },
  {
    name: 'journal histories',
    run: () =>
      suite(['tests/server/journal/histories'], {
        SPRIG_JOURNAL_HISTORIES: journalHistories,
        SPRIG_SEED: seed,
      }),
  },
  {
    name: 'properties',
    run: () =>
      suite(['--project', 'unit', '--testTimeout=600000', ...withProperties], {
        SPRIG_PROPERTY_RUNS: propertyRuns,
        SPRIG_SEED: seed,
      }),
  },
  { name: 'PostgreSQL 15', run: onPostgres15 },
  { name: 'Citus', run: () => suite([], { CITUS_URL: clusterUrl }), needs: clusterUrl },
  { name: 'Node 22', run: () => onNode(22) },
  { name: 'Node 24', run: () => onNode(24) },
];

async function onPostgres15() {
  const { url, version, close } = await openPostgres15(process.env.TEST_DATABASE_URL);
  try {
    return `${version}: ${await suite([], { TEST_DATABASE_URL: url })}`;
  } finally {
    await close();
  }
}

/** @param {number} major */
async function onNode(major) {
  const { program, version, remove } = nodeOf(major);
  try {
    return `${version}: ${await suite([], {}, program)}`;
  } finally {
    remove();
  }
}

const wanted = process.argv.slice(2).map((word) => word.toLowerCase());
const chosen = parts.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word)),
);
let failures = 0;
for (const { name, run, needs } of chosen) {
  if (needs === '') {
    console.log(`not run ${name}: CITUS_URL is not given`);
    continue;
  }
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  try {
    console.log(`ok      ${name}: ${await run()} (${seconds()})`);
  } catch (error) {
    failures += 1;
    console.log(
      `FAILED  ${name}: ${error instanceof Error ? error.message : error} (${seconds()})`,
    );
  }
}
process.exit(failures === 0 && chosen.length > 0 ? 0 : 1);
