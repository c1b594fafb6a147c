import { expect, test } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { initialStatus } from '#client/store/sync-status.ts';
import { backoffMs } from '#client/sync/backoff.ts';
import { createBatchSize } from '#client/sync/push/batch-size.ts';
import { push } from '#client/sync/push/push.ts';
import {
  brokenNetwork,
  captivePortal,
  fetchResponding,
} from '../../../support/device/fetch-stub.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const random = () => 0;
const firstBackoff = backoffMs(1, random);

/** Pushes two waterings over this network. The server has responded before. */
async function pushTwo(network: Pick<ReturnType<typeof fetchResponding>, 'fetch'>) {
  const db = freshDb();
  await db.syncState.put({ ...initialStatus, connectivity: 'online' });
  await addWatering(db, 'p1', now);
  await addWatering(db, 'p2', now);
  const [, untouched] = await db.outbox.toArray();
  const result = await push({
    db,
    random,
    fetch: network.fetch,
    token: 'a.b.c',
    now: () => now,
    isOnline: () => true,
    batchSize: createBatchSize(),
    signal: new AbortController().signal,
  });
  return { result, ops: await db.outbox.toArray(), untouched };
}

test.each<[what: string, status: number, body: unknown]>([
  ['a gateway', 503, { message: 'Maintenance' }],
  ['a gateway with a page', 502, captivePortal],
  ['a captive portal', 200, captivePortal],
])(
  '%s responds in place of the server: the whole outbox waits as long as after one failure',
  async (_, status, body) => {
    const network = fetchResponding(status, body);
    const { result, ops, untouched } = await pushTwo(network);
    expect(network.calls).toHaveLength(1);
    expect(result).toEqual({
      type: 'paused',
      needsPull: false,
      until: now + firstBackoff,
      by: 'backoff',
    });
    expect(ops).toEqual([expect.objectContaining({ state: 'uncertain' }), untouched]);
  },
);

test('without a network one op is tried once, and the other is not sent', async () => {
  const { result, ops, untouched } = await pushTwo({ fetch: brokenNetwork });
  expect(result).toMatchObject({ type: 'paused', until: now + firstBackoff });
  expect(ops).toEqual([expect.objectContaining({ attempts: 1 }), untouched]);
});

test('the Retry-After of a gateway is respected', async () => {
  const network = fetchResponding(503, { message: 'Maintenance' }, { 'retry-after': '120' });
  const { result, ops } = await pushTwo(network);
  expect(result).toMatchObject({ type: 'paused', until: now + 120_000 });
  expect(ops[0]?.nextAt).toBe(now + 120_000);
});

test('an internal server error delays only ops of the same plant', async () => {
  const network = fetchResponding(500, { message: 'Oops' });
  const { result, ops } = await pushTwo(network);
  expect(network.calls).toHaveLength(2);
  expect(result).toMatchObject({ type: 'done' });
  expect(ops.map(({ lastError }) => lastError)).toEqual([
    { message: 'Oops', status: 500 },
    { message: 'Oops', status: 500 },
  ]);
});
