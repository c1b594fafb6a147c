import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { removePhoto } from '#client/store/photos/photos.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { PhotoViewer } from './photo-viewer.tsx';
import type { ShownPhoto } from './shown-photos.ts';

interface PhotoGalleryProps {
  plant: { id: string; nickname: string; photoId: string | null };
  /** Newest first. */
  photos: readonly ShownPhoto[];
  shownId: string;
  onShow: (photoId: string) => void;
  onClose: () => void;
}

/** The photo viewer, with its actions. */
export function PhotoGallery({ plant, photos, shownId, onShow, onClose }: PhotoGalleryProps) {
  const db = useDb();
  const [asked, setAsked] = useState<ShownPhoto | null>(null);
  const [comparedId, setComparedId] = useState<string | null>(null);

  function makePicture({ id }: ShownPhoto): void {
    const edit = { edits: { photo_id: id }, base: { photo_id: plant.photoId } };
    changePlant(db, plant.id, edit, Date.now())
      .then(() => announce(`This is the picture of ${plant.nickname} now`))
      .catch((error: unknown) => console.warn('Failed to change the picture', error));
  }

  function remove(photo: ShownPhoto): void {
    setAsked(null);
    // Shows the next older photo, or the next newer one if this is the oldest. The viewer closes if there is no other.
    const index = photos.findIndex(({ id }) => id === photo.id);
    const other = photos[index + 1] ?? photos[index - 1];
    if (other) onShow(other.id);
    // It would be shown twice.
    if (other?.id === comparedId) setComparedId(null);
    removePhoto(db, plant.id, photo, Date.now())
      .then(() => announce('Photo deleted'))
      .catch((error: unknown) => console.warn('Failed to delete a photo', error));
  }

  return (
    <>
      <PhotoViewer
        photos={photos}
        shownId={shownId}
        comparedId={comparedId}
        plantName={plant.nickname}
        pictureId={plant.photoId}
        onShow={onShow}
        onCompare={setComparedId}
        onClose={onClose}
        onUseAsPicture={makePicture}
        onDelete={setAsked}
      />
      {asked && (
        <ConfirmDiscard
          title="Delete this photo?"
          description={`The photo of ${asked.timeText} will be deleted on all devices.`}
          closesOnBack
          keep={['Keep it', () => setAsked(null)]}
          discard={['Delete', () => remove(asked)]}
        />
      )}
    </>
  );
}
