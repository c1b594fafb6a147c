import { lazyRouteComponent } from '@tanstack/react-router';
import { useObservable } from 'dexie-react-hooks';
import { Suspense, useMemo, useState } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import { watchPhotos } from '#client/store/photos/photos.ts';
import { Button } from '#client/ui/form/button.tsx';
import { AddPhotos } from './add-photos.tsx';
import { type ShownPhoto, shownPhotos } from './photo-list.ts';
import { PhotoStrip } from './photo-strip.tsx';
import styles from './plant-photos.module.css';

const PhotoGallery = lazyRouteComponent(() => import('./photo-gallery.tsx'), 'PhotoGallery');

/** What the photos need to know of their plant. */
export interface PhotographedPlant {
  id: string;
  nickname: string;
  photoId: string | null;
}

/** The photos of a plant. */
export interface Album {
  plant: PhotographedPlant;
  all: readonly ShownPhoto[];
  /** The photos of each journal entry, by the entry's id. */
  ofEntry: ReadonlyMap<string, readonly ShownPhoto[]>;
}

/** The album of a plant, live. `notes`: the notes of its journal's entries, by id. */
export function useAlbum(
  { id, nickname, photoId }: PhotographedPlant,
  notes: ReadonlyMap<string, string | null>,
): Album {
  const db = useDb();
  const zone = useZone();
  const photos = useObservable(() => watchPhotos(db, id), [db, id]);
  return useMemo(() => {
    const plant = { id, nickname, photoId };
    const all = shownPhotos(photos ?? [], plant, notes, zone);
    const ofEntry = new Map<string, ShownPhoto[]>();
    for (const photo of all) {
      if (photo.entry_id === null) continue;
      ofEntry.set(photo.entry_id, [...(ofEntry.get(photo.entry_id) ?? []), photo]);
    }
    return { plant, all, ofEntry };
  }, [photos, notes, id, nickname, photoId, zone]);
}

/** Thumbnails of these photos. A tap opens one in the viewer, which shows all photos of the plant. */
export function OpenablePhotos({
  album: { plant, all },
  photos,
}: {
  album: Album;
  photos: readonly ShownPhoto[];
}) {
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <>
      <PhotoStrip photos={photos} onOpen={setOpenId} />
      {openId !== null && (
        <Suspense>
          <PhotoGallery
            plant={plant}
            photos={all}
            openId={openId}
            onClose={() => setOpenId(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Number of photos that are shown at first: two rows on a phone. */
const shownAtFirst = 8;

/** All photos of a plant, with a button to add photos. */
export function PlantPhotos({ album }: { album: Album }) {
  const [isWhole, setWhole] = useState(false);
  const { plant, all } = album;
  const shown = isWhole ? all : all.slice(0, shownAtFirst);
  return (
    <section className={styles.photos} aria-labelledby="plant-photos">
      <div className={styles.head}>
        <h3 id="plant-photos">Photos</h3>
        <AddPhotos plantKey={plant.id} />
      </div>
      {all.length === 0 && <p className={styles.empty}>No photos yet.</p>}
      <OpenablePhotos album={album} photos={shown} />
      {shown.length < all.length && (
        <Button look="quiet" size="small" onClick={() => setWhole(true)}>
          Show all {all.length} photos
        </Button>
      )}
    </section>
  );
}
