import { beforeEach, expect, test } from 'vitest';
import { readJournal, requestJournal } from '#client/store/journal/journal.ts';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { addEntry, editEntry, removeEntry } from '#client/store/outbox/entries.ts';
import type { PlantJournal } from '#contract/journal.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
const hourMs = 3_600_000;
let plantId: string;
/** The oldest entry of the stored page, which has 100 of the 102 entries. */
let last: ShownEntry;

beforeEach(async () => {
  const { server, account, device } = engine;
  plantId = (await addPlant(server, account)).id;
  await server.db.pool.query(
    `INSERT INTO journal_entries (user_id, plant_id, id, type, at)
      SELECT user_id, id, gen_random_uuid(), 'pruned', now() - n * interval '2 hours'
      FROM plants, generate_series(1, 102) n WHERE id = $1`,
    [plantId],
  );
  await server.db.pool.query('UPDATE plants SET journal_version = 102 WHERE id = $1', [plantId]);
  await device.pull();
  await requestJournal(device.db, plantId, device.now());
  await device.pull();
  const entry = (await readJournal(device.db, plantId)).entries.at(-1);
  if (!entry) throw new Error('not shown');
  last = entry;
});

/** The entries as a person sees them after loading the older ones: the stored ones and those after the cursor. */
async function allEntries() {
  const { entries, next } = await readJournal(engine.device.db, plantId);
  const url = `/api/plants/${plantId}/journal?before=${next}`;
  const older = await engine.server.app.inject({ url, headers: bearer(engine.account) });
  const shown = entries.map(({ id, at, note }) => ({ id, at, note }));
  const loaded = (older.json() as PlantJournal).entries;
  return [...shown, ...loaded.map(({ id, at, note }) => ({ id, at: Date.parse(at), note }))];
}

test('the oldest entry of a stored page stays in the history after its note was edited', async () => {
  const { db, now, push } = engine.device;
  expect(await allEntries()).toHaveLength(102);
  await editEntry(db, plantId, last, { ...last, note: 'Edited' }, now());
  await push();
  const entries = await allEntries();
  expect(entries).toHaveLength(102);
  expect(entries.find(({ id }) => id === last.id)).toMatchObject({ note: 'Edited' });
});

test.each([
  ['an hour later', hourMs],
  ['to an older page', -3 * hourMs],
])(
  'the oldest entry of a stored page stays in the history after it was moved %s',
  async (_, byMs) => {
    const { db, now, push, pull } = engine.device;
    const at = last.at + byMs;
    await editEntry(db, plantId, last, { ...last, at }, now());
    await push();
    for (const next of [pull, pull]) {
      const entries = await allEntries();
      expect(entries).toHaveLength(102);
      expect(entries.find(({ id }) => id === last.id)).toMatchObject({ at });
      await next();
    }
  },
);

test('an entry that is added where the oldest entry of a stored page was removed is in the history', async () => {
  const { db, now, push, pull } = engine.device;
  await removeEntry(db, plantId, last, now() - 11_000);
  await push();
  const at = last.at + hourMs;
  const added = { type: 'pruned', note: null, amount_ml: null, days: null, at } as const;
  const id = await addEntry(db, plantId, added, now());
  await push();
  await pull();
  const entries = await allEntries();
  expect(entries).toHaveLength(102);
  expect(entries.find((entry) => entry.id === id)).toMatchObject({ at });
});
