import { createRxDatabase } from 'rxdb/plugins/core';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

const text = { type: 'string', maxLength: 100 };
const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { id: text, nickname: text, species: text, wateredAt: { type: 'number' } },
  required: ['id', 'nickname'],
};

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

const ready = (async () => {
  const db = await createRxDatabase({
    name: 'garden',
    storage: getRxStorageDexie(),
    multiInstance: false,
  });
  const { plants } = await db.addCollections({ plants: { schema } });
  const replication = replicateRxCollection({
    collection: plants,
    replicationIdentifier: 'bench',
    live: true,
    push: { handler: (rows) => post('/db/push', rows) },
    pull: { handler: (checkpoint, limit) => post('/db/pull', { checkpoint, limit }) },
  });
  await replication.awaitInitialReplication();
  return { plants, replication };
})();

window.peer = {
  /** Stores the documents on both sides, as after a first sync. */
  fill: async (count) => {
    const { plants, replication } = await ready;
    const docs = Array.from({ length: count }, (_, i) => ({
      id: `plant-${i}`,
      nickname: `Plant ${i}`,
      species: 'Monstera',
      wateredAt: 0,
    }));
    await plants.bulkInsert(docs);
    await replication.awaitInSync();
  },
  /** Writes each document separately, like a tap on each plant's Water Now. */
  edit: async () => {
    const { plants } = await ready;
    for (const doc of await plants.find().exec()) {
      await doc.incrementalPatch({ wateredAt: Date.now() });
    }
  },
};
