import { Camera } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useDb } from '#client/session/current.tsx';
import { addPhotos } from '#client/store/photos/photos.ts';
import { trackPreparation } from '#client/store/photos/preparation.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { entryLimits } from '#domain/journal/entry.ts';
import { plural } from '#domain/text.ts';
import { dayMs } from '#domain/time.ts';
import styles from './add-photos.module.css';
import { encodePhoto, PhotoError } from './encode-photo.ts';

/** A button that takes photos with the camera or chooses them from the gallery, and adds them to a plant. */
export function AddPhotos({ plantKey }: { plantKey: string }) {
  const { input, open, busyText, problems } = usePhotoPicker(plantKey);
  return (
    <div className={styles.add}>
      {input}
      <Button look="quiet" busyText={busyText} onClick={open}>
        <Camera aria-hidden size={18} /> Add photos
      </Button>
      <PhotoProblems problems={problems} />
    </div>
  );
}

/** Why files were not added. */
export function PhotoProblems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className={styles.problems} role="alert">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}

interface Progress {
  /** What is being done while photos are prepared; null at other times. */
  busyText: string | null;
  /**
   * Why files were not added: one sentence for each name of an unusable file, and one if the photos cannot be stored.
   */
  problems: readonly string[];
}

interface PhotoPicker extends Progress {
  /** The hidden file input, which the caller must render. */
  input: ReactNode;
  /** Opens the camera or the gallery. Call it directly in a click handler. */
  open: () => void;
}

/** Lets a person take or choose photos, and adds them to a plant or to one of the entries of its journal. */
export function usePhotoPicker(plantKey: string, entryId: string | null = null): PhotoPicker {
  const db = useDb();
  const input = useRef<HTMLInputElement>(null);
  const progress = useProgress(entryId ?? plantKey);

  async function add(files: readonly File[]): Promise<void> {
    const show = (busyText: string) => setProgress(entryId ?? plantKey, { busyText, problems: [] });
    const found: string[] = [];
    let addedCount = 0;
    for (const [n, file] of files.entries()) {
      show(files.length > 1 ? `Adding ${n + 1}/${files.length}...` : 'Adding...');
      const photo = await encodePhoto(file).catch((error: unknown) => {
        found.push(problemOf(file, error));
        return null;
      });
      if (!photo) continue;
      const now = Date.now();
      try {
        // Stored one by one, because a phone may end the page while many photos are prepared.
        const added = { ...photo, takenAt: takenAt(file, now), entryId };
        await addPhotos(db, plantKey, [added], now);
        addedCount += 1;
      } catch (error) {
        // The storage problem has a notice of its own.
        console.warn('Failed to store a photo', error);
        const photos = addedCount > 0 ? 'Some of the photos' : 'The photos';
        found.push(`${photos} could not be stored on this device.`);
        break;
      }
    }
    if (addedCount > 0) announce(`${plural(addedCount, 'photo')} added`);
    // Photos of a phone may have the same name, so two sentences may be equal.
    setProgress(entryId ?? plantKey, { busyText: null, problems: [...new Set(found)] });
  }

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    const files = [...(currentTarget.files ?? [])];
    // Otherwise choosing the same file again would cause no change event.
    currentTarget.value = '';
    if (files.length > 0) void trackPreparation(add(files));
  }

  return {
    input: (
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Photos"
        onChange={onChange}
      />
    ),
    open: () => input.current?.click(),
    ...progress,
  };
}

const idle: Progress = { busyText: null, problems: [] };

/** By the id of the entry, or of the plant if the photos belong to no entry. */
const progresses = new Map<string, Progress>();
const subscribers = new Set<() => void>();

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange);
  return () => subscribers.delete(onChange);
}

function setProgress(id: string, progress: Progress): void {
  progresses.set(id, progress);
  for (const onChange of subscribers) onChange();
}

/**
 * The progress of the photos that were chosen last. Not a state of the component, because photos are prepared even
 * after the person has left; the problems are shown until the component that shows them is unmounted.
 */
function useProgress(id: string): Progress {
  const progress = useSyncExternalStore(subscribe, () => progresses.get(id) ?? idle);
  // The map is outside of React.
  useEffect(() => {
    return () => {
      if (progresses.get(id)?.busyText === null) progresses.delete(id);
    };
  }, [id]);
  return progress;
}

function problemOf({ name }: File, error: unknown): string {
  if (!(error instanceof PhotoError)) console.warn('Failed to encode a photo', error);
  const isTooLarge = error instanceof PhotoError && error.reason === 'too_large';
  return isTooLarge ? `${name} is too large.` : `${name} is not a photo that this device can read.`;
}

/** The time of a photo (ms): the file's modification time if an entry may have this date, otherwise `now`. */
function takenAt({ lastModified }: File, now: number): number {
  const isKnown = lastModified <= now && lastModified >= now - entryLimits.backDays * dayMs;
  return isKnown ? lastModified : now;
}
