import { type LiveStore, sharedLiveStore } from '../live-store.ts';
import type { DeviceDb } from '../schema.ts';

/** The upload of a photo that is running. */
export interface UploadProgress {
  opId: string;
  /** The share of its bytes that have been sent: 0–1. */
  share: number;
}

export async function saveUploadProgress(db: DeviceDb, progress: UploadProgress): Promise<void> {
  await db.syncState.put({ id: 'upload', ...progress });
}

/** The upload that is running, or the last one, live; null before the first one. */
export const watchUploadProgress: (db: DeviceDb) => LiveStore<UploadProgress | null> =
  sharedLiveStore(async (db: DeviceDb) => {
    const row = await db.syncState.get('upload');
    return row?.id === 'upload' ? { opId: row.opId, share: row.share } : null;
  });
