import type { DeviceDb } from '#client/store/schema.ts';
import { requestSync } from '#client/store/sync-status.ts';

/** Has the server asked again; a page that cannot even note that wish begins anew. */
export function loadAgain(db: DeviceDb): void {
  requestSync(db).catch(() => window.location.reload());
}
