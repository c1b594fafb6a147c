import { Clock } from 'lucide-react';
import type { Ref } from 'react';
import { SmallPhoto } from './photo-image.tsx';
import styles from './photo-strip.module.css';
import { type ShownPhoto, uploadText } from './shown-photos.ts';

/** Thumbnails of photos; a tap opens one. */
export function PhotoStrip({
  ref,
  photos,
  onOpen,
}: {
  ref?: Ref<HTMLUListElement>;
  photos: readonly ShownPhoto[];
  onOpen: (photoId: string) => void;
}) {
  if (photos.length === 0) return null;
  return (
    <ul ref={ref} className={styles.strip} aria-label="Photos">
      {photos.map((photo) => (
        <li key={photo.id}>
          <button
            type="button"
            className={styles.photo}
            aria-label={[photo.alt, uploadText(photo)].filter(Boolean).join(', ')}
            onClick={() => onOpen(photo.id)}
          >
            <SmallPhoto photo={photo} />
            {photo.isWaiting && (
              <span className={styles.mark}>
                <Clock aria-hidden size={14} />
              </span>
            )}
            {photo.isRejected && <span className={styles.rejected}>Could not be saved</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
