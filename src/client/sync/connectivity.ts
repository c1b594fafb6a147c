import { isFromServer } from '#client/api/http.ts';
import type { ApiResponse } from '#client/api/send.ts';
import type { Connectivity, DeviceDb, SyncStatus } from '#client/store/schema.ts';
import { readStatus } from '#client/store/sync-status.ts';
import type { SyncContext } from './context.ts';

/** Stores what the last response says about the network; a 304 has no body and still comes from the server. */
export async function saveConnectivity(
  context: SyncContext,
  response: ApiResponse | null,
): Promise<void> {
  if (context.signal.aborted) return;
  const isOnline = response !== null && (response.status === 304 || isFromServer(response));
  await setStatus(context.db, {
    connectivity: isOnline ? 'online' : connectivityWithoutResponse(context),
  });
}

/** The connectivity after a request without a response, as far as the device knows. */
export function connectivityWithoutResponse({
  isOnline,
}: Pick<SyncContext, 'isOnline'>): Connectivity {
  return isOnline() ? 'unreachable' : 'offline';
}

/** Writes nothing if the status stays the same, because every write repaints the indicator in every tab. */
export async function setStatus(db: DeviceDb, change: Partial<SyncStatus>): Promise<void> {
  if (isUnchanged(await readStatus(db), change)) return;
  await db.transaction('rw', db.syncState, async () => {
    const known = await readStatus(db);
    if (!isUnchanged(known, change)) await db.syncState.put({ ...known, ...change });
  });
}

/** Whether the change leaves the status as it is. */
function isUnchanged(known: SyncStatus, change: Partial<SyncStatus>): boolean {
  return JSON.stringify({ ...known, ...change }) === JSON.stringify(known);
}
