import * as RadixDialog from '@radix-ui/react-dialog';
import { ChevronLeft, ChevronRight, Columns2, Image, Square, Trash2, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { ignoreInteractionAbove } from '#client/ui/feedback/notice.tsx';
import { useFocusReturn } from '#client/ui/focus.ts';
import { Button, IconButton } from '#client/ui/form/button.tsx';
import { useSecondTapShield } from '#client/ui/overlay/second-tap.ts';
import { FullPhoto } from './photo-image.tsx';
import styles from './photo-viewer.module.css';
import { type ShownPhoto, uploadText } from './shown-photos.ts';
import { ZoomablePhoto } from './zoomable-photo.tsx';

interface PhotoViewerProps {
  /** Newest first. */
  photos: readonly ShownPhoto[];
  shownId: string;
  /** The photo beside the shown one; null if there is none. */
  comparedId: string | null;
  plantName: string;
  /** The id of the photo that is the plant's picture; null if none is. */
  pictureId: string | null;
  onShow: (photoId: string) => void;
  onCompare: (photoId: string | null) => void;
  onClose: () => void;
  onUseAsPicture: (photo: ShownPhoto) => void;
  onDelete: (photo: ShownPhoto) => void;
}

/**
 * The photos of a plant, one at a time or two together. Arrow keys, buttons and swipes show the next older or newer
 * photo, Home and End the oldest and the newest; older photos are to the left. Arrow keys move a zoomed photo instead.
 */
export function PhotoViewer({
  photos,
  shownId,
  comparedId,
  plantName,
  pictureId,
  onShow,
  onCompare,
  onClose,
  onUseAsPicture,
  onDelete,
}: PhotoViewerProps) {
  const returnFocus = useFocusReturn();
  useSecondTapShield();
  const index = photos.findIndex(({ id }) => id === shownId);
  const comparedIndex = photos.findIndex(({ id }) => id === comparedId);
  const photo = photos[index];
  const compared = photos[comparedIndex];
  if (!photo) return null;
  const others = photos.length > 1;
  const place = `${photos.length - index} of ${photos.length}`;
  const status = [photo.timeText, place, uploadText(photo)].filter(Boolean).join(', ');
  const isPicture = photo.id === pictureId;

  /** `by`: 1 for the next newer photo, -1 for the next older one. */
  function show(by: number): void {
    const next = photos[index - by];
    if (next) onShow(next.id);
  }

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === 'ArrowLeft') show(-1);
    if (key === 'ArrowRight') show(1);
    const end = { Home: photos.at(-1), End: photos[0] }[key];
    if (end) onShow(end.id);
  }

  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        {/* Allows scrolling in the viewer. Without it the overlay of the plant's dialog cancels every wheel turn and swipe
            outside of that dialog. */}
        <RadixDialog.Overlay />
        <RadixDialog.Content
          className={styles.viewer}
          onKeyDown={onKeyDown}
          onInteractOutside={ignoreInteractionAbove}
          onCloseAutoFocus={returnFocus}
          aria-describedby={undefined}
        >
          <header className={styles.header}>
            <div className={styles.names}>
              <RadixDialog.Title>
                Photo of <bdi>{plantName}</bdi>
              </RadixDialog.Title>
              <p role="status">{status}</p>
            </div>
            <IconButton label="Close photo" onClick={onClose}>
              <X aria-hidden />
            </IconButton>
          </header>
          <div className={styles.stage} data-two={compared ? true : undefined}>
            {compared && (
              <figure className={styles.figure}>
                <FullPhoto key={compared.id} photo={compared} />
                <figcaption>
                  <span role="status">{compared.timeText}</span>
                  <PhotoSteps
                    what="compared photo"
                    photos={photos}
                    index={comparedIndex}
                    onShow={onCompare}
                  />
                </figcaption>
              </figure>
            )}
            <figure className={styles.figure}>
              <ZoomablePhoto photoId={photo.id} onSwipe={show}>
                <FullPhoto photo={photo} />
              </ZoomablePhoto>
              {compared && <figcaption>{photo.timeText}</figcaption>}
            </figure>
          </div>
          {photo.note && <p className={styles.note}>{photo.note}</p>}
          <footer className={styles.footer}>
            {others && <PhotoSteps what="photo" photos={photos} index={index} onShow={onShow} />}
            <span className={styles.room} />
            {others && (
              <Button
                look="quiet"
                onClick={() => onCompare(compared ? null : oldestOther(photos, photo))}
              >
                {compared ? <Square aria-hidden size={18} /> : <Columns2 aria-hidden size={18} />}
                <span>{compared ? 'One photo' : 'Compare'}</span>
              </Button>
            )}
            <Button
              look="quiet"
              aria-disabled={isPicture}
              onClick={() => !isPicture && onUseAsPicture(photo)}
            >
              <Image aria-hidden size={18} />
              <span>{isPicture ? 'The plant’s picture' : 'Use as the plant’s picture'}</span>
            </Button>
            <Button look="quiet" className={styles.delete} onClick={() => onDelete(photo)}>
              <Trash2 aria-hidden size={18} /> Delete photo
            </Button>
          </footer>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/**
 * Buttons that show the older and the newer photo. At the ends they are only `aria-disabled`, because `disabled` would
 * take their focus away.
 */
function PhotoSteps({
  what,
  photos,
  index,
  onShow,
}: {
  what: string;
  photos: readonly ShownPhoto[];
  index: number;
  onShow: (id: string) => void;
}) {
  const [older, newer] = [photos[index + 1], photos[index - 1]];
  return (
    <span className={styles.steps}>
      <IconButton
        label={`Older ${what}`}
        aria-disabled={!older}
        onClick={() => older && onShow(older.id)}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton
        label={`Newer ${what}`}
        aria-disabled={!newer}
        onClick={() => newer && onShow(newer.id)}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </span>
  );
}

/** The id of the oldest photo other than this one; null if there is none. */
function oldestOther(photos: readonly ShownPhoto[], photo: ShownPhoto): string | null {
  return photos.findLast(({ id }) => id !== photo.id)?.id ?? null;
}
