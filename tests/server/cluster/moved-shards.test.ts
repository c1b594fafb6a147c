import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { requestAs } from '../../support/server/request.ts';
import { findDamage, startLoad } from './support/gardeners.ts';
import { type OwnCluster, openOwnCluster } from './support/own-cluster.ts';
import { openTwoServers, type TwoServers } from './support/two-servers.ts';

let cluster: OwnCluster;
let servers: TwoServers;
beforeAll(async () => {
  cluster = await openOwnCluster();
  servers = await openTwoServers(cluster, 6);
});
afterEach(async () => {
  await cluster.rows('DELETE FROM sensor_logs');
  await cluster.rows('DELETE FROM waterings');
  await cluster.rows('DELETE FROM idempotency_keys');
});
afterAll(async () => {
  await servers.close();
  await cluster.close();
});

/** Citus drops the former placement of a moved shard in the background; until then the shard cannot move back. */
async function dropFormerPlacements(): Promise<void> {
  const left = async () => {
    await cluster.rows('CALL citus_cleanup_orphaned_resources()');
    return cluster.rows('SELECT object_name FROM pg_dist_cleanup');
  };
  await expect.poll(left).toEqual([]);
}

/** Moves the shard group of an account to the other worker. */
async function moveAccount(userId: string): Promise<void> {
  await dropFormerPlacements();
  const from = await cluster.workerOf(userId);
  const [source, target] = [cluster.workers[from], cluster.workers[1 - from]];
  await cluster.rows(
    `SELECT citus_move_shard_placement(
      get_shard_id_for_distribution_column('users', $1::uuid), $2, $3, $4, $5, 'force_logical')`,
    [userId, source?.host, source?.port, target?.host, target?.port],
  );
}

test('while shards are moved and rebalanced, no write is lost or doubled, and a request fails only with 503', async () => {
  const load = startLoad(servers);
  onTestFinished(async () => void (await load.stop()));
  await load.rounds(3);
  for (const { userId } of servers.gardeners.slice(0, 2)) await moveAccount(userId);
  await load.rounds(3);
  await cluster.rows(
    "SELECT rebalance_table_shards('users', shard_transfer_mode => 'force_logical')",
  );
  await load.rounds(3);
  expect(await findDamage(cluster, await load.stop())).toEqual([]);
  // On a busy machine the end of a move may block a request for longer than the statement timeout.
  const statuses = [...load.failures.values()].flatMap((counts) => [...counts.keys()]);
  expect(statuses.filter((status) => status !== 503)).toEqual([]);
});

test('after the shard of an account was moved, the account gets the whole list once, then deltas again', async () => {
  const [gardener] = servers.gardeners;
  if (!gardener) throw new Error('there is no account');
  const request = requestAs({ app: servers.apps[0] }, gardener);
  const list = (etag: string) =>
    request('GET', '/api/plants/with-latest-readings', {
      ifNoneMatch: etag,
      headers: { 'a-im': 'sprig-delta' },
    });
  const report = async () => {
    const payload = { plant_id: gardener.plantId, soil_humidity: 40 };
    expect(await request('POST', '/api/logs', { payload })).toMatchObject({ statusCode: 201 });
  };
  const before = await list('');
  await report();
  expect((await list(String(before.headers.etag))).statusCode).toBe(226);
  await moveAccount(gardener.userId);
  const whole = await list(String(before.headers.etag));
  expect([whole.statusCode, whole.json()[0].latest_soil_humidity]).toEqual([200, 40]);
  await report();
  expect((await list(String(whole.headers.etag))).statusCode).toBe(226);
});
