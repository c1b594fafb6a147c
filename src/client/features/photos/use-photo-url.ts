import { useObservable } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { requestPhoto, watchPhotoFile } from '#client/store/photos/photo-files.ts';

/**
 * The object URL of a stored photo; null while it is not on the device, undefined until the database has been read.
 * Requests a missing photo.
 */
export function usePhotoUrl(
  plantKey: string,
  photoId: string,
  size: 'full' | 'small',
): string | null | undefined {
  const db = useDb();
  const bytes = useObservable(() => watchPhotoFile(db, photoId, size), [db, photoId, size]);
  // Requests a missing file, and marks a stored one of full size as used.
  useEffect(() => {
    const file = { plantKey, photoId, size };
    requestPhoto(db, file, Date.now()).catch((error: unknown) => console.warn(error));
  }, [db, plantKey, photoId, size]);
  const [url, setUrl] = useState<string | null>();
  // An object URL keeps its bytes in memory until it is revoked.
  useEffect(() => {
    if (!bytes) return setUrl(bytes);
    const made = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return url;
}
