import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { wateringHistory } from '#server/watering/facts.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { hourMs, openJournal } from './support/journal.ts';

// What the limits of automatic watering count after a person has changed waterings by hand.

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** A plant with one watering of an hour ago. `counted`: its waterings as the limits count them, oldest first. */
async function openWatered(amount_ml: number | null) {
  const journal = await openJournal(server);
  const entry = await journal.added({ at: -hourMs, amount_ml });
  const { userId } = journal.account;
  const plant = { userId, id: String(journal.plant.id), unlockedAt: null };
  const counted = async () => {
    const { manualWaterings } = await wateringHistory(server.db.pool, plant, server.clock());
    return manualWaterings
      .map(({ at, amountMl }) => [(at - server.clock().getTime()) / hourMs, amountMl])
      .sort(([a = 0], [b = 0]) => Number(a) - Number(b));
  };
  const edit = async (changes: Partial<JournalEntry>) => {
    expect((await journal.edit(entry, changes)).statusCode).toBe(200);
  };
  return { ...journal, entry, edit, counted };
}

test.each([
  ['an unknown amount that is then entered as less', null, [120], 150],
  ['an unknown amount that is then entered as more', null, [200], 200],
  ['an amount that is reduced and restored', 300, [100, 300], 300],
  ['an amount that is corrected several times', 100, [90, 250, 80, 60], 250],
])('%s counts as one watering of the highest amount', async (_, first, edits, highest) => {
  const { edit, counted } = await openWatered(first);
  for (const amount_ml of edits) await edit({ amount_ml });
  expect(await counted()).toEqual([[-1, highest]]);
});

test('a moved watering counts at both times, and a move back adds no further one', async () => {
  const { entry, edit, counted, inMs } = await openWatered(100);
  await edit({ at: inMs(-3 * hourMs), amount_ml: 50 });
  const both = [
    [-3, 50],
    [-1, 100],
  ];
  expect(await counted()).toEqual(both);
  await edit({ at: entry.at, amount_ml: 100 });
  await edit({ at: inMs(-3 * hourMs), amount_ml: 50 });
  expect(await counted()).toEqual(both);
});

test('a removed watering still counts, and two waterings of the same time count as two', async () => {
  const { entry, add, remove, counted } = await openWatered(100);
  await add({ at: -hourMs, amount_ml: 70 });
  await remove(entry);
  expect((await counted()).map(([, ml]) => ml).sort()).toEqual([100, 70]);
});
