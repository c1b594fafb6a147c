import { beforeEach, expect, test } from 'vitest';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { renewVersions } from '#server/plants/changes.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account, { nickname: 'Fern' })).id;
  await engine.device.pull();
});

const query = (text: string) => engine.server.db.pool.query(text, [fern]);
const addNote = (note: string) =>
  engine.elsewhere('POST', `/api/plants/${fern}/journal`, {
    id: crypto.randomUUID(),
    type: 'note',
    at: new Date().toISOString(),
    note,
  });
const notesHere = async () => {
  const entries = (await engine.device.db.journal.get(fern))?.entries ?? [];
  return entries.map(({ note }) => note).sort();
};

/** Sets the plant and its journal back to what they are now, as a backup does that is taken now. */
async function backUp(): Promise<() => Promise<void>> {
  const { rows } = await query(
    'SELECT version, journal_version, location FROM plants WHERE id = $1',
  );
  const [{ version, journal_version, location }] = rows;
  const { rows: notes } = await query('SELECT id FROM journal_entries WHERE plant_id = $1');
  return async () => {
    const kept = notes.map(({ id }) => `'${id}'`).join();
    await query(`DELETE FROM journal_entries WHERE plant_id = $1 AND id NOT IN (${kept})`);
    await query(
      `UPDATE plants SET version = ${version}, journal_version = ${journal_version}, location = '${location}'
        WHERE id = $1`,
    );
  };
}

test('after a restore a device gets the restored history, and what was added to it since', async () => {
  await addNote('Before the backup');
  const restore = await backUp();
  await addNote('Lost');
  await engine.device.pull();
  expect(await notesHere()).toEqual(['Before the backup', 'Lost']);
  await restore();
  await renewVersions(engine.server.db);
  await addNote('After the restore');
  await engine.device.pull();
  expect(await notesHere()).toEqual(['After the restore', 'Before the backup']);
});

test('a device that has loaded the plants before the versions were renewed gets the restored history too', async () => {
  await addNote('Before the backup');
  const restore = await backUp();
  await addNote('Lost');
  await engine.device.pull();
  await restore();
  await engine.device.pull();
  await renewVersions(engine.server.db);
  await engine.device.pull();
  expect(await notesHere()).toEqual(['Before the backup']);
});

test('after a restore an edit without a network is merged with what another device has edited since', async () => {
  const { db, now, pull, push } = engine.device;
  await addNote('Before the backup');
  const restore = await backUp();
  const [plant] = await engine.serverPlants();
  await engine.elsewhere('PUT', `/api/plants/${fern}`, { ...plant, location: 'Lost' });
  await pull();
  await changePlant(db, fern, { edits: { description: 'Likes rain' }, base: {} }, now());
  await restore();
  await renewVersions(engine.server.db);
  const [restored] = await engine.serverPlants();
  await engine.elsewhere('PUT', `/api/plants/${fern}`, { ...restored, species: 'Tree fern' });
  await push();
  await push();
  expect(await db.outbox.count()).toBe(0);
  const [merged] = await engine.serverPlants();
  expect(merged).toMatchObject({
    species: 'Tree fern',
    description: 'Likes rain',
    location: restored?.location,
  });
});
