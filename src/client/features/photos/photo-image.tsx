import { ImageOff } from 'lucide-react';
import styles from './photo-image.module.css';
import type { ShownPhoto } from './shown-photos.ts';
import { usePhotoUrl } from './use-photo-url.ts';

/** What is needed to show a photo. */
type ImagePhoto = Pick<ShownPhoto, 'id' | 'plantKey' | 'alt' | 'width' | 'height'>;

/** The small size of a photo. */
export function SmallPhoto({ photo }: { photo: ImagePhoto }) {
  return <Picture photo={photo} url={usePhotoUrl(photo.plantKey, photo.id, 'small')} />;
}

/** The full size of a photo. Fetched if it is not on the device; until then the small size is shown. */
export function FullPhoto({ photo }: { photo: ShownPhoto }) {
  const small = usePhotoUrl(photo.plantKey, photo.id, 'small');
  const full = usePhotoUrl(photo.plantKey, photo.id, 'full');
  return <Picture photo={photo} url={full ?? small} isFull />;
}

interface PictureProps {
  photo: ImagePhoto;
  /** undefined until it has been read from the device's database; null when the photo is not on the device. */
  url: string | null | undefined;
  isFull?: boolean;
}

function Picture({ photo, url, isFull = false }: PictureProps) {
  const { alt, width, height } = photo;
  if (url)
    return <img className={styles.image} src={url} alt={alt} width={width} height={height} />;
  return (
    <span
      className={isFull ? styles.missingFull : styles.missing}
      role="img"
      aria-label={`${alt}, not on this device`}
    >
      {url === null && <ImageOff aria-hidden size={20} />}
      {url === null && isFull && <span>Not on this device</span>}
    </span>
  );
}
