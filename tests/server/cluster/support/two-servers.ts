import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import { closeSilentConnections } from '#server/database/lost-connections.ts';
import type { App } from '#server/http/app-deps.ts';
import { type TestClock, testClock } from '../../../support/server/clock.ts';
import { openTestApp } from '../../../support/server/server.ts';
import { addGardeners, type Gardener } from './gardeners.ts';
import type { OwnCluster } from './own-cluster.ts';

const queryTimeoutMs = 2_000;

/** Two servers on a cluster, with accounts on each of its workers. */
export interface TwoServers {
  apps: readonly [App, App];
  gardeners: Gardener[];
  clock: TestClock;
  close: () => Promise<void>;
}

export async function openTwoServers(cluster: OwnCluster, perWorker: number): Promise<TwoServers> {
  const clock = testClock();
  const one = await openServer(cluster.url, clock);
  const other = await openServer(cluster.url, clock);
  return {
    apps: [one.app, other.app],
    clock,
    gardeners: await addGardeners(cluster, { ...one, clock }, perWorker),
    close: async () => {
      await one.close();
      await other.close();
    },
  };
}

async function openServer(
  connectionString: string,
  clock: TestClock,
): Promise<{ app: App; db: Database; close: () => Promise<void> }> {
  const pool = openPool({
    connectionString,
    statement_timeout: queryTimeoutMs,
    connectionTimeoutMillis: 5_000,
  });
  closeSilentConnections(pool, 2 * queryTimeoutMs);
  const db = databaseOver(pool, { isDistributed: true });
  const app = await openTestApp({ db, clock });
  return {
    app,
    db,
    close: async () => {
      await app.close();
      await db.close();
    },
  };
}
