import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reportFigures } from '../../support/figures.ts';
import { requestAs } from '../../support/server/request.ts';
import { findDamage, type Gardener, startLoad } from './support/gardeners.ts';
import { type OwnCluster, openOwnCluster } from './support/own-cluster.ts';
import { openTwoServers, type TwoServers } from './support/two-servers.ts';

let cluster: OwnCluster;
let servers: TwoServers;
beforeAll(async () => {
  cluster = await openOwnCluster();
  servers = await openTwoServers(cluster, 6);
});
afterAll(async () => {
  await servers.close();
  await cluster.close();
});
afterEach(async () => {
  for (const worker of cluster.workers) worker.recover();
  await cluster.rows('DELETE FROM sensor_logs');
  await cluster.rows('DELETE FROM waterings');
  await cluster.rows('DELETE FROM idempotency_keys');
});

test.for([
  ['killed', 0],
  ['killed', 1],
  ['frozen', 0],
  ['frozen', 1],
] as const)(
  'while a worker is %s (number %i), requests of other accounts succeed, and no write is lost or doubled',
  async ([fault, number], { task }) => {
    const load = startLoad(servers);
    const isOther = ({ worker }: Gardener) => worker !== number;
    await load.rounds(5);
    if (fault === 'killed') cluster.workers[number]?.kill();
    else cluster.workers[number]?.freeze();
    await load.rounds(20, isOther);
    await expect.poll(() => load.failures.get(number)?.get(503)).toBeGreaterThan(0);
    cluster.workers[number]?.recover();
    await load.rounds(5);
    const sent = await load.stop();
    expect(await findDamage(cluster, sent)).toEqual([]);
    const [own, other] = [load.failures.get(number), load.failures.get(1 - number)];
    reportFigures(
      task,
      `worker ${number} ${fault}: ${sent.length} writes, failures of its accounts ${own?.get(503) ?? 0}`,
    );
    expect(Object.fromEntries(other ?? [])).toEqual({});
    expect([...(own?.keys() ?? [])]).toEqual([503]);
  },
);

test('while a worker is down, people can register', async () => {
  cluster.workers[1]?.kill();
  const statuses = new Map<number, number>();
  for (let n = 0; n < 12; n += 1) {
    const person = {
      username: `New ${n}`,
      email: `new${n}@example.org`,
      password: 'secret-garden',
    };
    const response = await requestAs({ app: servers.apps[0] }, null)('POST', '/auth/register', {
      payload: person,
    });
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
  }
  expect([...statuses.keys()]).toEqual([201]);
});
