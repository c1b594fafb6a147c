import Dexie, { type Table } from 'dexie';
import { deferred } from '../deferred.ts';

/** Makes all reads and writes of a table wait until they are released, as on a slow device. */
export async function blockTable<Row, Key>(
  table: Table<Row, Key>,
): Promise<{ release: () => Promise<void> }> {
  const started = deferred();
  const released = deferred();
  const transaction = table.db.transaction('rw', table, async () => {
    await table.count();
    started.resolve();
    await Dexie.waitFor(released.promise);
  });
  await started.promise;
  return {
    async release() {
      released.resolve();
      await transaction;
    },
  };
}
