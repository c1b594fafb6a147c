import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#server/database/database.ts';
import type { App } from '#server/http/app-deps.ts';
import type { TestClock } from '../../../support/server/clock.ts';
import { requestAs } from '../../../support/server/request.ts';
import { addPlant, addUser, login } from '../../../support/server/server.ts';
import type { OwnCluster } from './own-cluster.ts';

/** An account with a plant, a device token, and the index of the worker that stores it. */
export interface Gardener {
  userId: string;
  email: string;
  worker: number;
  plantId: string;
  token: string;
  deviceToken: string;
}

/** `count` accounts on each worker. */
export async function addGardeners(
  cluster: OwnCluster,
  server: { app: App; db: Database; clock: TestClock },
  count: number,
): Promise<Gardener[]> {
  const gardeners: Gardener[] = [];
  const isShort = (worker: number) =>
    gardeners.filter((gardener) => gardener.worker === worker).length < count;
  for (let n = 0; cluster.workers.some((_, worker) => isShort(worker)); n += 1) {
    const email = `gardener${n}@example.org`;
    const userId = await addUser(server.db, server.clock, email);
    const worker = await cluster.workerOf(userId);
    if (!isShort(worker)) continue;
    const token = await login(server.app, email, 'secret-garden', true);
    const account = { userId, email, password: 'secret-garden', token };
    const device_id = `pot-${n}`;
    const { id: plantId } = await addPlant(server, account, { device_id });
    const payload = { device_id };
    const device = await requestAs(server, account)('POST', '/api/device-tokens', { payload });
    gardeners.push({ userId, email, worker, plantId, token, deviceToken: device.json().token });
  }
  return gardeners;
}

/** A write, and whether it was acknowledged. */
interface Sent {
  gardener: Gardener;
  /** The reading's time, or the watering's key. */
  mark: string;
  type: 'reading' | 'watering';
  isDone: boolean;
}

interface LoadedServers {
  apps: readonly [App, App];
  gardeners: readonly Gardener[];
  clock: TestClock;
}

export interface Load {
  /** Statuses other than 200 and 201, by worker. */
  failures: Map<number, Map<number, number>>;
  /**
   * Resolves when each gardener, or each that `of` accepts, has made `count` more attempts at a write, successful or
   * not.
   */
  rounds: (count: number, of?: (gardener: Gardener) => boolean) => Promise<void>;
  stop: () => Promise<Sent[]>;
}

/**
 * All gardeners repeatedly write readings and waterings and sign in. A failed write is repeated until it succeeds,
 * alternately with both apps. After stop() it is given up after more than 200 attempts.
 */
export function startLoad({ apps, gardeners, clock }: LoadedServers): Load {
  const failures = new Map<number, Map<number, number>>();
  const done = new Map<Gardener, number>(gardeners.map((gardener) => [gardener, 0]));
  const sent: Sent[] = [];
  let isStopping = false;
  const base = clock().getTime();
  let made = 0;

  function count(gardener: Gardener, status: number): boolean {
    if (status === 200 || status === 201) return true;
    const statuses = failures.get(gardener.worker) ?? new Map<number, number>();
    failures.set(gardener.worker, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    return false;
  }

  async function send(gardener: Gardener, write: Sent, attempt: number): Promise<boolean> {
    const app = apps[attempt % 2 === 0 ? 0 : 1];
    const response =
      write.type === 'reading'
        ? await requestAs({ app }, { token: gardener.deviceToken })('POST', '/api/logs', {
            payload: { timestamp: write.mark, soil_humidity: 50 },
          })
        : await requestAs({ app }, gardener)('POST', `/api/plants/${gardener.plantId}/water`, {
            key: write.mark,
          });
    return count(gardener, response.statusCode);
  }

  async function run(gardener: Gardener): Promise<void> {
    while (!isStopping) {
      made += 1;
      const type = made % 3 === 0 ? 'watering' : 'reading';
      const mark = type === 'reading' ? new Date(base - made * 1_000).toISOString() : `op-${made}`;
      const write: Sent = { gardener, mark, type, isDone: false };
      sent.push(write);
      for (let attempt = 0; !write.isDone; attempt += 1) {
        write.isDone = await send(gardener, write, attempt);
        if (!write.isDone && isStopping && attempt > 200) break;
        if (!write.isDone) await sleep(20);
        done.set(gardener, (done.get(gardener) ?? 0) + 1);
      }
      const app = apps[made % 2 === 0 ? 0 : 1];
      const payload = { username_or_email: gardener.email, password: 'secret-garden' };
      const signedIn = await requestAs({ app }, null)('POST', '/auth/login', { payload });
      // Signing out again, because an account keeps only its newest sessions.
      if (count(gardener, signedIn.statusCode)) {
        const { access_token: token } = signedIn.json();
        const signedOut = await requestAs({ app }, { token })('POST', '/auth/logout');
        count(gardener, signedOut.statusCode);
      }
    }
  }

  const running = gardeners.map(run);
  return {
    failures,
    rounds: async (rounds, of = () => true) => {
      const wanted = gardeners.filter(of).map((gardener) => ({
        gardener,
        until: (done.get(gardener) ?? 0) + rounds,
      }));
      while (wanted.some(({ gardener, until }) => (done.get(gardener) ?? 0) < until)) {
        await sleep(20);
      }
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
      return sent;
    },
  };
}

/** Lists writes that were never acknowledged, and differences between the numbers of sent and of stored rows. */
export async function findDamage(cluster: OwnCluster, sent: readonly Sent[]): Promise<string[]> {
  const damage: string[] = [];
  const stored = async (table: string) =>
    (await cluster.rows(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;
  for (const [type, table] of [
    ['reading', 'sensor_logs'],
    ['watering', 'waterings'],
  ]) {
    const all = sent.filter((write) => write.type === type);
    const unfinished = all.filter(({ isDone }) => !isDone).length;
    if (unfinished > 0) damage.push(`${unfinished} ${table} were never acknowledged`);
    const count = await stored(table ?? '');
    if (count !== all.length) damage.push(`${all.length} ${table} were sent, ${count} are stored`);
  }
  return damage;
}
