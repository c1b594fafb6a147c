import PouchDB from 'pouchdb-browser';

const remote = `${location.origin}/db/garden`;
const db = new PouchDB('garden');

window.peer = {
  /** Stores the documents on both sides, as after a first sync. */
  fill: async (count) => {
    const docs = Array.from({ length: count }, (_, i) => ({
      _id: `plant-${String(i).padStart(4, '0')}`,
      nickname: `Plant ${i}`,
      species: 'Monstera',
      wateredAt: null,
    }));
    await db.bulkDocs(docs);
    await db.sync(remote);
  },
  /** Writes each document separately, like a tap on each plant's Water Now. */
  edit: async () => {
    const { rows } = await db.allDocs({ include_docs: true });
    for (const { doc } of rows) await db.put({ ...doc, wateredAt: Date.now() });
  },
};

// Syncs as soon as the network is back, as PouchDB's guide says: with `retry`, PouchDB would wait longer.
window.addEventListener('online', () => db.sync(remote));
