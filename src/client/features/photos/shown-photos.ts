import type { PlantPhoto } from '#client/store/photos/photos.ts';
import { formatMoment } from '#domain/dates.ts';
import type { TimeZone } from '#domain/zone.ts';

/** A photo as the screens show it. */
export interface ShownPhoto extends PlantPhoto {
  plantKey: string;
  /** 'Nov 20, 2026, 3:05 PM' */
  timeText: string;
  /** Text for screen readers: the plant, the time and the note, if there is one. */
  alt: string;
  /** The note of its entry; null if it has no entry, or if the entry has no note or is not stored. */
  note: string | null;
}

/** The state of a photo's upload in words; null for a photo that is saved. */
export function uploadText({ isWaiting, isRejected }: PlantPhoto): string | null {
  if (isRejected) return 'could not be saved';
  return isWaiting ? 'waiting to be sent' : null;
}

/** `notes`: the notes of the journal's entries, by id. */
export function shownPhotos(
  photos: readonly PlantPhoto[],
  plant: { id: string; nickname: string },
  notes: ReadonlyMap<string, string | null>,
  zone: TimeZone,
): ShownPhoto[] {
  return photos.map((photo) => {
    const timeText = formatMoment(Date.parse(photo.taken_at), 'dateTime', zone);
    const note = (photo.entry_id !== null && notes.get(photo.entry_id)) || null;
    const alt = [`Photo of ${plant.nickname}`, timeText, note].filter(Boolean).join(', ');
    return { ...photo, plantKey: plant.id, timeText, alt, note };
  });
}
