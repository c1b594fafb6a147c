import { isFromServer } from '#client/api/http.ts';
import type { ApiResponse } from '#client/api/send.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { Connectivity, SyncStatus } from '#client/store/sync-state.ts';
import { readStatus } from '#client/store/sync-status.ts';
import type { SyncContext } from './context.ts';

/** Keeps what the last request said about the network; a 304 has no body and is the server's all the same. */
export async function recordConnectivity(
  context: SyncContext,
  answer: ApiResponse | null,
): Promise<void> {
  if (context.signal.aborted) return;
  const reached = answer !== null && (answer.status === 304 || isFromServer(answer));
  await setStatus(context.db, { reach: reached ? 'online' : connectivityWithoutAnswer(context) });
}

export function connectivityWithoutAnswer({
  isOnline,
}: Pick<SyncContext, 'isOnline'>): Connectivity {
  return isOnline() ? 'unreachable' : 'offline';
}

/** Writes only what differs: every write repaints the indicator in every tab. */
export async function setStatus(db: DeviceDb, change: Partial<SyncStatus>): Promise<void> {
  if (isIn(await readStatus(db), change)) return;
  await db.transaction('rw', db.syncState, async () => {
    const known = await readStatus(db);
    if (!isIn(known, change)) await db.syncState.put({ ...known, ...change });
  });
}

function isIn(known: SyncStatus, change: Partial<SyncStatus>): boolean {
  return JSON.stringify({ ...known, ...change }) === JSON.stringify(known);
}
