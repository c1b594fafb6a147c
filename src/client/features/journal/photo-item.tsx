import { Camera } from 'lucide-react';
import { useZone } from '#client/session/current.tsx';
import { formatMoment } from '#domain/dates.ts';
import { plural } from '#domain/text.ts';
import type { ShownPhoto } from '../photos/photo-list.ts';
import { PhotoStrip } from '../photos/photo-strip.tsx';
import type { Album } from '../photos/plant-photos.tsx';
import styles from './entry-item.module.css';

/** The photos of a day that belong to no entry. `at`: the time of the newest one (ms). */
export function PhotoItem({
  album,
  at,
  photos,
}: {
  album: Album;
  at: number;
  photos: readonly ShownPhoto[];
}) {
  const zone = useZone();
  const title = plural(photos.length, 'photo');
  return (
    <li className={styles.entry}>
      <span className={styles.icon} data-type="photos">
        <Camera aria-hidden size={18} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        <p className={styles.facts}>
          <time dateTime={new Date(at).toISOString()}>{formatMoment(at, 'time', zone)}</time>
        </p>
        <PhotoStrip photos={photos} onOpen={album.open} />
      </div>
    </li>
  );
}
