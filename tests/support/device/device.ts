import { openDeviceDb } from '#client/store/database.ts';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { readPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from '#client/sync/context.ts';
import { type PullResult, pull } from '#client/sync/pull/pull.ts';
import { createBatchSize } from '#client/sync/push/batch-size.ts';
import { recoverInflight } from '#client/sync/push/claim.ts';
import { push } from '#client/sync/push/push.ts';
import type { Account, TestServer } from '../server/server.ts';
import { fetchApp } from './fetch-app.ts';
import { createNetwork, type Network } from './network.ts';

/** One device of an account: its own database and network, the real push and pull, and the real server. */
export interface Device {
  db: DeviceDb;
  network: Network;
  context: SyncContext;
  /** How far this device's clock is ahead, ms. */
  aheadMs: number;
  now: () => number;
  /** Sends all ops that are due, photos too. */
  push: () => ReturnType<typeof push>;
  pull: () => Promise<PullResult['type']>;
  plant: (key: string) => Promise<PlantWithPending | undefined>;
  /** Simulates a restart after a crash: opens the same database again and recovers the ops in flight. */
  restart: () => Promise<Device>;
  close: () => Promise<void>;
}

let made = 0;

export function openDevice(server: TestServer, account: Account, name = newName()): Device {
  const db = openDeviceDb(name);
  const network = createNetwork(fetchApp(server.app));
  const abort = new AbortController();
  const now = () => Date.now() + device.aheadMs;
  const context: SyncContext = {
    db,
    fetch: network.fetch,
    token: account.token,
    now,
    random: () => 0,
    isOnline: () => true,
    batchSize: createBatchSize(),
    signal: abort.signal,
  };
  const device: Device = {
    db,
    network,
    context,
    now,
    aheadMs: 0,
    push: () => push(context, Number.POSITIVE_INFINITY),
    pull: async () => (await pull(context)).type,
    plant: async (key) => (await readPlants(db)).find((plant) => plant.key === key),
    restart: async () => {
      const next = openDevice(server, account, name);
      next.aheadMs = device.aheadMs;
      await recoverInflight(next.context);
      return next;
    },
    close: async () => {
      abort.abort();
      await db.delete();
    },
  };
  return device;
}

function newName(): string {
  made += 1;
  return `device-${made}-${Math.random()}`;
}
