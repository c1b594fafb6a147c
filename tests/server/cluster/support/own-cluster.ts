import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';
import { distribute } from '#server/distribute/distribute.ts';
import { createCluster } from '../../../support/database/cluster.ts';
import { addressOf, dropDatabase } from '../../../support/database/postgres.ts';
import { provided } from '../../../support/provided.ts';
import { openWorkerProxy, type WorkerProxy } from './worker-proxy.ts';

/** The test's own database on every machine of the cluster. Proxies can simulate failures of the workers. */
export interface OwnCluster {
  name: string;
  /** Of the coordinator. */
  url: string;
  workers: WorkerProxy[];
  /** Runs a statement on the coordinator, on a connection of its own. */
  rows: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** The index in `workers` of the worker that stores the account. */
  workerOf: (userId: string) => Promise<number>;
  close: () => Promise<void>;
}

let made = 0;

export async function openOwnCluster({ isDistributed = true } = {}): Promise<OwnCluster> {
  const coordinator = provided('postgres');
  const nodes = [coordinator, ...provided('workers')];
  made += 1;
  const name = `${provided('templateDatabase')}_own_${process.pid}_${made}`;
  const host = await ownAddress(coordinator);
  const workers = await Promise.all(
    provided('workers').map((worker) => openWorkerProxy(worker, host)),
  );
  await createCluster(nodes, name, workers);
  const url = addressOf(coordinator, name);
  if (isDistributed) await distribute({ databaseUrl: url, isCheck: false }, () => undefined);
  const rows = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    name,
    url,
    workers,
    rows,
    workerOf: async (userId) => {
      const [place] = await rows(
        `SELECT nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
        WHERE shardid = get_shard_id_for_distribution_column('users', $1::uuid)`,
        [userId],
      );
      return workers.findIndex(({ port }) => port === place?.port);
    },
    close: async () => {
      for (const worker of workers) worker.recover();
      await dropDatabase(nodes, name);
      for (const worker of workers) await worker.close();
    },
  };
}

/** The IP address at which the cluster can reach this machine; the proxies listen on it. */
async function ownAddress({ host, port }: { host: string; port: number }): Promise<string> {
  const socket = net.connect({ host, port });
  await once(socket, 'connect');
  const { localAddress = '127.0.0.1' } = socket;
  socket.destroy();
  return localAddress;
}
