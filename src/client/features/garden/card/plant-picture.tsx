import type { PictureName } from '#domain/plant/picture.ts';
import type { Plant } from '#domain/plant/plant.ts';
import { usePhotoUrl } from '../../photos/use-photo-url.ts';

interface PlantPictureProps {
  plant: Pick<Plant, 'id' | 'image' | 'photoId'>;
  className?: string | undefined;
}

/** A plant's picture: its photo, or the picture of its species. The name is beside it, so the alt text is empty. */
export function PlantPicture({ plant, className }: PlantPictureProps) {
  const { id, image, photoId } = plant;
  const speciesUrl = pictureUrl(image);
  if (photoId === null) return <Picture url={speciesUrl} className={className} />;
  return <PhotoPicture {...{ plantKey: id, photoId, speciesUrl, className }} />;
}

interface PhotoPictureProps {
  plantKey: string;
  photoId: string;
  speciesUrl: string;
  className?: string | undefined;
}

/** Shows the picture of the species until the photo is on the device. */
function PhotoPicture({ plantKey, photoId, speciesUrl, className }: PhotoPictureProps) {
  const url = usePhotoUrl(plantKey, photoId, 'small');
  return <Picture url={url ?? speciesUrl} className={className} />;
}

function Picture({ url, className }: { url: string; className?: string | undefined }) {
  return <img className={className} src={url} alt="" width="1260" height="750" loading="lazy" />;
}

const files = import.meta.glob<string>('./pictures/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The URL of a plant's picture, 1260×750. */
export function pictureUrl(name: PictureName): string {
  return files[`./pictures/${name}.svg`] ?? '';
}
