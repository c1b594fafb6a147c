import { Camera, CloudUpload, EllipsisVertical, Pencil, Trash2, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import { isOwnEntry, type ShownEntry } from '#client/store/journal/shown-entries.ts';
import { Menu } from '#client/ui/overlay/menu.tsx';
import { formatMoment } from '#domain/dates.ts';
import { entryWords } from '#domain/journal/words.ts';
import { plural } from '#domain/text.ts';
import { PhotoProblems, usePhotoPicker } from '../photos/add-photos.tsx';
import { PhotoStrip } from '../photos/photo-strip.tsx';
import type { Album } from '../photos/plant-photos.tsx';
import type { ShownPhoto } from '../photos/shown-photos.ts';
import { addAgain, editAndOffer, removeAndOffer } from './change-entries.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryIcon } from './entry-icons.tsx';
import styles from './entry-item.module.css';

interface EntryItemProps {
  album: Album;
  entry: ShownEntry;
  isEditing: boolean;
  /** It has been deleted while it is edited. */
  isGone: boolean;
  /** The plant has been deleted, so nothing can be changed. */
  isReadOnly: boolean;
  onEdit: (entry: ShownEntry, isEditing: boolean) => void;
  onClosed: () => void;
}

/** One entry: what was done and when. Entries by a person can be edited in place and deleted. */
export const EntryItem = memo(function EntryItem({
  album,
  entry,
  isEditing,
  isGone,
  isReadOnly,
  onEdit,
  onClosed,
}: EntryItemProps) {
  const { plant } = album;
  const db = useDb();
  const picker = usePhotoPicker(plant.id, entry.id);
  const words = entryWords(entry);
  const zone = useZone();
  const time = formatMoment(entry.at, 'time', zone);

  function close(): void {
    onEdit(entry, false);
    onClosed();
  }
  function remove(): void {
    onClosed();
    removeAndOffer(db, plant, entry).catch((error: unknown) => console.warn(error));
  }

  if (isEditing && isOwnEntry(entry)) {
    const { type, at, note, amount_ml } = entry;
    const canAddAgain = isGone && !isReadOnly;
    return (
      <li className={styles.editing}>
        <EntryForm
          title={`Edit: ${words}`}
          initial={{ type, at, note, amount_ml }}
          isGone={canAddAgain}
          isReadOnly={isReadOnly}
          submitText={canAddAgain ? 'Add again' : 'Save'}
          onSubmit={async (change) => {
            const save = canAddAgain ? addAgain : editAndOffer;
            await save(db, plant, entry, change);
            close();
          }}
          onClose={close}
        />
      </li>
    );
  }
  return (
    <li className={styles.entry}>
      <span className={styles.icon} data-type={entry.type}>
        <EntryIcon type={entry.type} source={entry.source} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{withUnits(words)}</p>
        {entry.note && (
          <p className={styles.note}>
            <bdi>{entry.note}</bdi>
          </p>
        )}
        <p className={styles.facts}>
          <time dateTime={new Date(entry.at).toISOString()}>{time}</time>
          <EntryMark state={entry.state} />
        </p>
        <PhotoStrip photos={album.ofEntry.get(entry.id) ?? []} onOpen={album.open} />
        {picker.input}
        {picker.busyText && <p role="status">{picker.busyText}</p>}
        <PhotoProblems problems={picker.problems} />
      </div>
      {isOwnEntry(entry) && !isReadOnly && (
        <Menu
          label={`Actions for ${words}, ${time}`}
          icon={<EllipsisVertical aria-hidden size={20} />}
          items={[
            {
              label: 'Add photos',
              icon: <Camera aria-hidden size={18} />,
              // A second choice would replace the message about the files of the first.
              isDisabled: picker.busyText !== null,
              onSelect: picker.open,
            },
            {
              label: 'Edit',
              icon: <Pencil aria-hidden size={18} />,
              onSelect: () => onEdit(entry, true),
            },
            {
              label: 'Delete',
              icon: <Trash2 aria-hidden size={18} />,
              isDanger: true,
              onSelect: remove,
            },
          ]}
        />
      )}
    </li>
  );
});

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

function EntryMark({ state }: Pick<ShownEntry, 'state'>) {
  if (state === 'saved') return null;
  if (state === 'rejected') {
    return (
      <span className={styles.rejected}>
        <TriangleAlert aria-hidden size={14} /> Could not be saved
      </span>
    );
  }
  return (
    <span className={styles.waiting}>
      <CloudUpload aria-hidden size={14} /> Waiting to be sent
    </span>
  );
}

/** The text with each number and its unit in an element of its own, so that no line begins with a unit. */
function withUnits(words: string): ReactNode {
  const parts = words.split(/(\d+(?:\.\d+)? (?:%|ml))/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts can be equal, and none is ever moved
      <span key={i} className={styles.measure}>
        {part}
      </span>
    );
  });
}
