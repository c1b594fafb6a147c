import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { tablesIn } from '../database/inspect.ts';
import { isNew, pendingMigrations } from '../database/migrate.ts';
import { cannotStart } from '../start/command.ts';

/** A machine of the cluster. */
interface Node {
  address: string;
  isCoordinator: boolean;
  isReady: boolean;
}

/**
 * The addresses of the cluster's workers. Throws unless the database is on the coordinator of a Citus cluster with at
 * least one worker, in which all workers are ready and all machines can connect to each other.
 */
export async function requireCluster(client: ClientBase): Promise<string[]> {
  const { rows: found } = await client.query<{ has: boolean }>(
    "SELECT to_regclass('pg_catalog.pg_dist_node') IS NOT NULL AS has",
  );
  if (!found[0]?.has) {
    throw cannotStart(
      'The database has no Citus. Install it on every machine, and in this database on every machine: CREATE EXTENSION citus;',
    );
  }
  const { rows: nodes } = await client.query<Node>(
    `SELECT nodename || ':' || nodeport AS address, groupid = 0 AS "isCoordinator",
      isactive AND hasmetadata AND metadatasynced AS "isReady"
    FROM pg_dist_node WHERE noderole = 'primary' ORDER BY nodeid`,
  );
  await requireCoordinator(client, nodes);
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator);
  if (workers.length === 0) {
    throw cannotStart(
      "The cluster has no worker. On the coordinator: SELECT citus_add_node('worker.example.org', 5432);",
    );
  }
  const waiting = workers.filter(({ isReady }) => !isReady).map(({ address }) => address);
  if (waiting.length > 0) {
    throw cannotStart(
      `Not ready: ${waiting.join(', ')}. On the coordinator: SELECT citus_activate_node('host', port);`,
    );
  }
  await requireConnections(client);
  return workers.map(({ address }) => address);
}

async function requireCoordinator(client: ClientBase, nodes: readonly Node[]): Promise<void> {
  const { rows } = await client.query<{ group: number }>(
    'SELECT groupid AS "group" FROM pg_dist_local_group',
  );
  if (rows[0]?.group !== 0) {
    throw cannotStart(
      'DATABASE_URL leads to a worker of the cluster; give the URL of the coordinator instead.',
    );
  }
  if (nodes.length > 0 && !nodes.some(({ isCoordinator }) => isCoordinator)) {
    throw cannotStart(
      "The workers do not know the coordinator. There: SELECT citus_set_coordinator_host('its host', its port);",
    );
  }
}

async function requireConnections(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT from_nodename || ':' || from_nodeport AS "from", to_nodename || ':' || to_nodeport AS "to"
    FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE`,
  );
  const [broken] = rows;
  if (broken) {
    throw cannotStart(
      `${broken.from} cannot connect to ${broken.to}. Every machine must be running and let the others in.`,
    );
  }
}

export type SchemaState = 'empty' | 'current';

/** Whether the database is empty. Throws if it has tables of another program or of an older version. */
export async function requireSchema(client: ClientBase): Promise<SchemaState> {
  const tables = await tablesIn(client);
  if (tables.length === 0) return 'empty';
  if (await isNew(client)) {
    throw cannotStart(
      `The database holds tables of another program (${tables.slice(0, 3).join(', ')}). Give Sprig a database of its own.`,
    );
  }
  const pending = await pendingMigrations(client);
  if (pending.length > 0) {
    throw cannotStart(
      `The database has the tables of an older version; missing migrations: ${pending.length}. Start a server of this version once, stop it, and run this again.`,
    );
  }
  return 'current';
}

/** How long to wait (ms) for the connections of a server that was just stopped to end. */
const disconnectWaitMs = 3_000;

/**
 * Throws if anybody else stays connected. Connections of the cluster's own machines do not count. Call it again when
 * all tables are locked: every server that is still active is then connected and waiting.
 */
export async function requireNobodyElse(client: ClientBase): Promise<void> {
  const deadline = performance.now() + disconnectWaitMs;
  for (;;) {
    const count = await otherConnections(client);
    if (count === 0) return;
    if (performance.now() > deadline) {
      throw cannotStart(
        `Other connections to the database are open (${count}). Stop every server and program that uses it, and run this again.`,
      );
    }
    await sleep(100);
  }
}

async function otherConnections(client: ClientBase): Promise<number> {
  // PostgreSQL caches pg_stat_activity within a transaction. Without this, each query would return the first result.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND application_name NOT LIKE 'citus%'`,
  );
  return rows[0]?.count ?? 0;
}
