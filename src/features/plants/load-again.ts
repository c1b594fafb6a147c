import type { DeviceDb } from '#data/db.ts';
import { requestSync } from '#data/sync-status.ts';

/** Has the server asked again; a page that cannot even note that wish begins anew. */
export function loadAgain(db: DeviceDb): void {
  requestSync(db).catch(() => window.location.reload());
}
