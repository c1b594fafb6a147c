import { Image } from 'lucide-react';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useZone } from '#client/session/current.tsx';
import type { ShownJournal } from '#client/store/journal/journal.ts';
import { Button } from '#client/ui/form/button.tsx';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import { ignoreSecondPress, shieldSecondTap } from '#client/ui/overlay/second-tap.ts';
import { AddPhotos } from './add-photos.tsx';
import { PhotoStrip } from './photo-strip.tsx';
import styles from './plant-photos.module.css';
import { type ShownPhoto, shownPhotos } from './shown-photos.ts';

const PhotoGallery = lazyComponent(() => import('./photo-gallery.tsx'), 'PhotoGallery');

/** What the photos need to know of their plant. */
export interface PhotographedPlant {
  id: string;
  nickname: string;
  photoId: string | null;
}

/** The photos of a plant. */
export interface Album {
  plant: PhotographedPlant;
  /** Newest first. */
  all: readonly ShownPhoto[];
  /** The photos of each journal entry, by the entry's id. */
  ofEntry: ReadonlyMap<string, readonly ShownPhoto[]>;
  /** False while photos of the plant may be missing here, because its journal is not stored. */
  isComplete: boolean;
  /** Opens the photo with this id in the viewer. */
  open: (photoId: string) => void;
}

/** Functions that open the viewer at a photo, show another photo in it, and close it, by changing the URL. */
export interface ViewerAddress {
  open: (photoId: string) => void;
  show: (photoId: string) => void;
  close: () => void;
}

/** The album of a plant from its journal, which is undefined until it has been read. */
export function useAlbum(
  { id, nickname, photoId }: PhotographedPlant,
  journal: ShownJournal | undefined,
  open: ViewerAddress['open'],
): Album {
  const zone = useZone();
  return useMemo(() => {
    const plant = { id, nickname, photoId };
    const { photos = [], entries = [], isStored = false } = journal ?? {};
    const notes = new Map(entries.map((entry) => [entry.id, entry.note]));
    const all = shownPhotos(photos, plant, notes, zone);
    const ofEntry = new Map<string, ShownPhoto[]>();
    for (const photo of all) {
      if (photo.entry_id === null) continue;
      ofEntry.set(photo.entry_id, [...(ofEntry.get(photo.entry_id) ?? []), photo]);
    }
    return { plant, all, ofEntry, isComplete: isStored, open };
  }, [journal, id, nickname, photoId, zone, open]);
}

/**
 * The viewer, opened at the photo that the URL names. It closes after the photo was deleted, or if it is missing from a
 * complete album.
 */
export function OpenedPhoto({
  album: { plant, all, isComplete },
  openId,
  viewer,
}: {
  album: Album;
  openId: string;
  viewer: ViewerAddress;
}) {
  // Also kept in state, because the URL changes too late for the second of two quick steps.
  const [shownId, setShownId] = useState(openId);
  const isClosing = useRef(false);
  const isKnown = all.some(({ id }) => id === shownId);
  const [wasKnown, setWasKnown] = useState(isKnown);
  if (isKnown && !wasKnown) setWasKnown(true);
  const isGone = !isKnown && (isComplete || wasKnown);

  // Once only: going back takes a moment, and going back twice would also close the plant's dialog.
  const close = useCallback(() => {
    if (isClosing.current) return;
    isClosing.current = true;
    viewer.close();
  }, [viewer]);
  useEffect(() => {
    if (isGone) close();
  }, [isGone, close]);

  if (!isKnown) return null;
  return (
    <Suspense>
      <PhotoGallery
        plant={plant}
        photos={all}
        shownId={shownId}
        onShow={(id) => {
          setShownId(id);
          viewer.show(id);
        }}
        onClose={close}
      />
    </Suspense>
  );
}

/** Number of photos that the album shows at first: eight rows on a phone. */
const shownAtFirst = 24;

/**
 * A line with a button to add photos. Until the album is open, the line also has a button that opens it and shows the
 * number of photos. When `isOpen`, the plant's photos follow, also those whose entries are not stored. At first
 * `shownAtFirst` of them are shown; a button shows all.
 */
export function PlantPhotos({
  album,
  isOpen,
  onOpen,
}: {
  album: Album;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const strip = useRef<HTMLUListElement>(null);
  const { plant, all } = album;
  const shown = isWhole ? all : all.slice(0, shownAtFirst);

  function showAll(): void {
    flushSync(() => setWhole(true));
    const firstNew = strip.current?.querySelectorAll('button')[shownAtFirst];
    if (!firstNew) return;
    // The focused button has disappeared.
    ignoreSecondPress(firstNew);
    firstNew.focus();
  }

  return (
    <section className={styles.photos} aria-label="Photos">
      <div className={styles.head}>
        {isOpen && <h3>Photos</h3>}
        {!isOpen && all.length > 0 && (
          <Button look="quiet" onClick={onOpen}>
            <Image aria-hidden size={18} />
            <span>{all.length === 1 ? '1 photo' : `All ${all.length} photos`}</span>
          </Button>
        )}
        {!isOpen && all.length === 0 && <p className={styles.empty}>No photos yet.</p>}
        <AddPhotos plantKey={plant.id} />
      </div>
      {isOpen && all.length === 0 && <p className={styles.empty}>No photos yet.</p>}
      {isOpen && <PhotoStrip ref={strip} photos={shown} onOpen={album.open} />}
      {isOpen && shown.length < all.length && (
        <Button
          look="quiet"
          size="small"
          onClick={(event) => {
            // A photo is then where the button was; a second tap must not open it.
            shieldSecondTap(event);
            showAll();
          }}
        >
          <span>{`Show all ${all.length} photos`}</span>
        </Button>
      )}
    </section>
  );
}
