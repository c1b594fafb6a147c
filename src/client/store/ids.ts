import type { DeviceDb, IdMapRow, PlantRow } from './schema.ts';

/**
 * A plant made on this device has two ids once its create is confirmed: the local one, which screens and ops keep
 * using, and the server's, under which its rows are stored. Before that it has only the local id. Any other plant has
 * only the server's id. An id without a mapping is used as it is. A transaction that calls one of the async functions
 * below must include idmap.
 */

/** The server's id of a plant, given either of its ids. */
export async function serverIdOf(db: DeviceDb, id: string): Promise<string> {
  return (await db.idmap.get(id))?.serverId ?? id;
}

/** Every id that ops may use for a plant, given either of its ids. */
export async function idsOfPlant(db: DeviceDb, id: string): Promise<string[]> {
  const [locals, mapped] = await Promise.all([
    db.idmap.where('serverId').equals(id).toArray(),
    db.idmap.get(id),
  ]);
  return [...new Set([id, ...locals.map(({ localId }) => localId), mapped?.serverId ?? id])];
}

/** The stored row of a plant, given either of its ids. A surrounding transaction must include idmap and plants. */
export async function plantRowOf(db: DeviceDb, id: string): Promise<PlantRow | undefined> {
  // Read together, since a second round trip to the database would delay every tap on Water Now.
  const [mapped, own] = await Promise.all([db.idmap.get(id), db.plants.get(id)]);
  return mapped ? db.plants.get(mapped.serverId) : own;
}

/** The server ids of plants that were made on this device. */
export async function mappedServerIds(db: DeviceDb): Promise<Set<string>> {
  return new Set((await db.idmap.toArray()).map(({ serverId }) => serverId));
}

/** Like serverIdOf, for many plants. */
export function serverIdLookup(idmap: readonly IdMapRow[]): (id: string) => string {
  const known = new Map(idmap.map(({ localId, serverId }) => [localId, serverId]));
  return (id) => known.get(id) ?? id;
}

/** Maps either id of a plant to the one that screens use, for many plants. */
export function screenIdLookup(idmap: readonly IdMapRow[]): (id: string) => string {
  const known = new Map(idmap.map(({ localId, serverId }) => [serverId, localId]));
  return (id) => known.get(id) ?? id;
}
