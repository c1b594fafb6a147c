import type { Page } from 'playwright';

/** The name of the database of the only account that has data on this device. */
async function nameOf(page: Page): Promise<string> {
  const names = await page.evaluate(async () => (await indexedDB.databases()).map((db) => db.name));
  const name = names.find((one) => one?.startsWith('sprig-'));
  if (name === undefined) throw new Error('no account has a database here');
  return name;
}

/** The rows of a table of the account's database. */
export async function rowsOf<Row>(page: Page, table: string): Promise<Row[]> {
  return page.evaluate(
    async ([name, store]) => {
      const ended = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const opening = indexedDB.open(name);
      // If the database was deleted meanwhile, do not create an empty one, which would break the app.
      opening.onupgradeneeded = () => opening.transaction?.abort();
      const db = await ended(opening);
      try {
        return await ended(db.transaction(store).objectStore(store).getAll());
      } finally {
        db.close();
      }
    },
    [await nameOf(page), table] as const,
  );
}

/** Writes rows without notifying live queries: screens show them after the next start. */
export async function putRows(page: Page, table: string, rows: readonly object[]): Promise<void> {
  await page.evaluate(
    async ([name, store, all]) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const tx = db.transaction(store, 'readwrite');
      for (const row of all) tx.objectStore(store).put(row);
      await new Promise((resolve, reject) => {
        tx.oncomplete = resolve;
        tx.onerror = reject;
      });
      db.close();
    },
    [await nameOf(page), table, rows] as const,
  );
}

/** Simulates that the browser has deleted the data: pages with the database open get `versionchange` and close it. */
export async function removeDatabase(page: Page): Promise<void> {
  await page.evaluate(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      }),
    await nameOf(page),
  );
}

/** Replaces the database by one of version 1 with the given outbox. */
export async function makeFirstVersion(page: Page, ops: readonly object[]): Promise<void> {
  await page.evaluate(
    async ([name, ops]) => {
      const ended = (request: IDBRequest) =>
        new Promise<void>((resolve, reject) => {
          request.onsuccess = () => resolve();
          request.onerror = () => reject(request.error);
        });
      await ended(indexedDB.deleteDatabase(name));
      const opening = indexedDB.open(name, 10);
      opening.onupgradeneeded = () => {
        const db = opening.result;
        const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
        outbox.createIndex('opId', 'opId', { unique: true });
        outbox.createIndex('entity', 'entity');
        db.createObjectStore('idmap', { keyPath: 'localId' }).createIndex('serverId', 'serverId');
        db.createObjectStore('readings', { keyPath: 'plantId' });
        for (const store of ['plants', 'syncState', 'meta']) {
          db.createObjectStore(store, { keyPath: 'id' });
        }
        for (const op of ops) outbox.add(op);
      };
      await ended(opening);
      opening.result.close();
    },
    [await nameOf(page), ops] as const,
  );
}

/** Opens the account's database like an app of that version, and ignores requests to close it. */
export async function holdOpen(page: Page, version: number): Promise<void> {
  await page.evaluate(
    async ([name, dexieVersion]) => {
      const opening = indexedDB.open(name, dexieVersion * 10);
      await new Promise<void>((resolve, reject) => {
        opening.onsuccess = () => resolve();
        opening.onerror = () => reject(opening.error);
      });
      Object.assign(window, { heldOpen: opening.result });
    },
    [await nameOf(page), version] as const,
  );
}

/** Keeps every reader of the database waiting until the returned function is called. */
export async function blockDatabase(page: Page, name: string): Promise<() => Promise<void>> {
  const holder = await page.evaluateHandle(async (dbName) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(dbName);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const stores = Array.from(db.objectStoreNames);
    const tx = db.transaction(stores, 'readwrite');
    const state = { isHeld: true };
    const ended = new Promise((resolve) => {
      tx.oncomplete = resolve;
    });
    await new Promise<void>((resolve) => {
      // A transaction ends when it has no request any more.
      const hold = () => {
        resolve();
        if (!state.isHeld) return;
        tx.objectStore(stores[0] ?? '').count().onsuccess = hold;
      };
      hold();
    });
    return {
      release: async () => {
        state.isHeld = false;
        await ended;
        db.close();
      },
    };
  }, name);
  return () => holder.evaluate(({ release }) => release());
}
