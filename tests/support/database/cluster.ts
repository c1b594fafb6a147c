import pg from 'pg';
import { distribute } from '#server/distribute/distribute.ts';
import type { SetupProject } from '../provided.ts';
import { addressOf, asAdmin, dropAll, serverOf, type TestPostgres } from './postgres.ts';

/**
 * Replaces postgres.ts if CITUS_URL is the URL of a database on the coordinator of a Citus cluster. Each test clones a
 * distributed template on every machine. Workers must accept the user and password of that URL.
 */
export async function setup(project: SetupProject): Promise<() => Promise<void>> {
  const url = process.env.CITUS_URL ?? '';
  const postgres = serverOf(url);
  const workers = await workersOf(url, postgres);
  const templateDatabase = `sprig_test_${process.pid}_${Date.now()}`;
  await createCluster([postgres, ...workers], templateDatabase);
  await distribute(
    { databaseUrl: addressOf(postgres, templateDatabase), isCheck: false },
    () => undefined,
  );
  for (const node of [postgres, ...workers]) await closeTemplate(node, templateDatabase);
  project.provide('postgres', postgres);
  project.provide('workers', workers);
  project.provide('templateDatabase', templateDatabase);
  project.provide('cloneStrategy', 'wal_log');
  return () => dropAll([postgres, ...workers], templateDatabase);
}

async function workersOf(url: string, coordinator: TestPostgres): Promise<TestPostgres[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
      WHERE groupid > 0 AND noderole = 'primary' ORDER BY nodeid`,
    );
    if (rows.length < 2) throw new Error('CITUS_URL must have two workers or more');
    return rows.map((place) => ({ ...coordinator, ...place }));
  } finally {
    await client.end();
  }
}

/**
 * Creates a database on every machine and joins these databases to a Citus cluster. `reachedAs`: the hosts and ports at
 * which the coordinator reaches the workers.
 */
export async function createCluster(
  [coordinator, ...workers]: readonly TestPostgres[],
  name: string,
  reachedAs: readonly { host: string; port: number }[] = workers,
): Promise<void> {
  if (!coordinator) throw new Error('a cluster needs a coordinator');
  for (const node of [coordinator, ...workers]) {
    await asAdmin(node, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
    await inDatabase(node, name, 'CREATE EXTENSION citus');
  }
  const { host, port } = coordinator;
  await inDatabase(coordinator, name, `SELECT citus_set_coordinator_host('${host}', ${port})`);
  for (const worker of reachedAs) {
    const place = `'${worker.host}', ${worker.port}`;
    await inDatabase(coordinator, name, `SELECT citus_add_node(${place})`);
  }
  await inDatabase(
    coordinator,
    name,
    `SELECT citus_set_node_property('${host}', ${port}, 'shouldhaveshards', false)`,
  );
}

export async function inDatabase(
  postgres: TestPostgres,
  database: string,
  statement: string,
): Promise<pg.QueryResult> {
  const client = new pg.Client({ ...postgres, database });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Ends connections to a database, also those of Citus' own processes, and refuses new ones, so it can be cloned. */
async function closeTemplate(node: TestPostgres, name: string): Promise<void> {
  await asAdmin(node, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await asAdmin(
    node,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}
