import { type PhotoFiles, uploadPhoto } from '#client/api/photos.ts';
import type { ApiResponse } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { saveUploadProgress } from '#client/store/photos/upload-progress.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { ApiRequest } from '#contract/request.ts';
import { requestOptions, type SyncContext } from '../context.ts';

/** How often the progress of an upload is stored. */
const progressEveryMs = 300;

/**
 * The files of an unsent photo; missing: this device no longer has them · unreadable: the browser cannot read them.
 * Rejects if the database was closed.
 */
export async function readPhotoFiles(
  db: DeviceDb,
  photoId: string,
): Promise<PhotoFiles | 'missing' | 'unreadable'> {
  try {
    const [full, small] = await db.photoFiles.bulkGet([
      [photoId, 'full'],
      [photoId, 'small'],
    ]);
    return full && small ? { full: full.bytes, small: small.bytes } : 'missing';
  } catch (error) {
    if (isClosed(error)) throw error;
    console.error('A photo cannot be read:', error);
    return 'unreadable';
  }
}

function isClosed(error: unknown): boolean {
  const { name } = error as { name?: unknown };
  return name === 'DatabaseClosedError' || name === 'AbortError';
}

/**
 * Sends an add_photo op with its files, and stores the progress for the list of changes. Rejects only with NoResponse.
 */
export function sendPhoto(
  context: SyncContext,
  { opId, request }: Pick<Op, 'opId'> & { request: ApiRequest },
  files: PhotoFiles,
): Promise<ApiResponse> {
  const { db, now, upload } = context;
  const save = (share: number) =>
    void saveUploadProgress(db, { opId, share }).catch(() => undefined);
  let savedAt = Number.NEGATIVE_INFINITY;
  const onProgress = (share: number) => {
    if (share < 1 && now() - savedAt < progressEveryMs) return;
    savedAt = now();
    save(share);
  };
  // Until the first event, the progress of an earlier attempt would be shown.
  if (upload) save(0);
  const call = requestOptions(context);
  const withProgress = upload ? { ...call, fetch: upload(onProgress) } : call;
  return uploadPhoto(request, files, withProgress, opId);
}
