import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { addPhotos, type NewPhoto } from '#client/store/photos/photos.ts';
import { preparePhotos } from '#client/store/photos/preparation.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { entryLimits } from '#domain/journal/entry.ts';
import { plural } from '#domain/text.ts';
import { dayMs } from '#domain/time.ts';
import { encodePhoto, PhotoError } from './encode-photo.ts';

export interface PhotoPicker {
  /** The hidden file input, which the caller must render. */
  input: ReactNode;
  /** Opens the camera or the gallery. Call it directly in a click handler. */
  open: () => void;
  /** What is being done while photos are prepared; null at other times. */
  busyText: string | null;
  /**
   * Why files were not added: one sentence for each name of an unusable file, and one if the photos cannot be stored.
   */
  problems: readonly string[];
}

/** Lets a person take or choose photos, and adds them to a plant or to one of the entries of its journal. */
export function usePhotoPicker(plantKey: string, entryId: string | null = null): PhotoPicker {
  const db = useDb();
  const input = useRef<HTMLInputElement>(null);
  const [busyText, setBusyText] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);

  async function add(files: readonly File[]): Promise<void> {
    const photos: NewPhoto[] = [];
    const found: string[] = [];
    for (const [n, file] of files.entries()) {
      setBusyText(files.length > 1 ? `Preparing ${n + 1} of ${files.length}...` : 'Preparing...');
      try {
        const encoded = await encodePhoto(file);
        photos.push({ ...encoded, takenAt: takenAt(file, Date.now()), entryId });
      } catch (error) {
        found.push(problemOf(file, error));
      }
    }
    try {
      if (photos.length > 0) await addPhotos(db, plantKey, photos, Date.now());
      if (photos.length > 0) announce(`${plural(photos.length, 'photo')} added`);
    } catch (error) {
      // The storage problem has a notice of its own.
      console.warn('Failed to store photos', error);
      found.push('The photos could not be stored on this device.');
    }
    // A phone gives several photos the same name.
    setProblems([...new Set(found)]);
    setBusyText(null);
  }

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    const files = [...(currentTarget.files ?? [])];
    // Otherwise choosing the same file again would cause no change event.
    currentTarget.value = '';
    if (files.length > 0) void preparePhotos(() => add(files));
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
    busyText,
    problems,
  };
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
