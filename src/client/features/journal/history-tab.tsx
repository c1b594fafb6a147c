import { Plus } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { EmptyState } from '#client/ui/feedback/screen-state.tsx';
import { SelectField } from '#client/ui/form/field.tsx';
import { Menu } from '#client/ui/overlay/menu.tsx';
import { useIsMounted } from '#client/ui/use-is-mounted.ts';
import type { AddableType } from '#domain/journal/entry.ts';
import { entryTitles } from '#domain/journal/words.ts';
import { plural } from '#domain/text.ts';
import {
  OpenedPhoto,
  type PhotographedPlant,
  PlantPhotos,
  useAlbum,
  type ViewerAddress,
} from '../photos/plant-photos.tsx';
import { addAndOffer } from './change-entries.ts';
import { EntryForm, type EntryFormHandle, formTypes } from './entry-form.tsx';
import { EntryIcon } from './entry-icons.tsx';
import { EntryList } from './entry-list.tsx';
import { allEntries, filterOptions, photosOnly, shownItems } from './history-filter.ts';
import type { EditedEntries } from './history-items.ts';
import styles from './history-tab.module.css';
import { OlderEntries } from './older-entries.tsx';
import { useHistory } from './use-history.ts';

interface HistoryTabProps {
  plant: PhotographedPlant;
  /** The plant was deleted on another device, but a form on the page has input. */
  isDeleted: boolean;
  /** Whether the form for a new entry is open at first. */
  isAdding: boolean;
  onAdded: () => void;
  /** The photo that is open in the viewer. */
  photoId: string | null;
  /** Must be the same object in every render, or all entries are rendered again. */
  viewer: ViewerAddress;
}

/** The journal entries and the photos of a plant, by day, with a menu that adds entries. */
export function HistoryTab({
  plant,
  isDeleted,
  isAdding,
  onAdded,
  photoId,
  viewer,
}: HistoryTabProps) {
  const { id: plantKey, nickname } = plant;
  const db = useDb();
  const isOpen = useIsMounted();
  const [editing, setEditing] = useState<EditedEntries>(new Map());
  const history = useHistory(plantKey, editing);
  const { journal, entries, hasOlder } = history;
  const album = useAlbum(plant, journal, viewer.open);
  const [filter, setFilter] = useState<string>(allEntries);
  const [newEntry, setNewEntry] = useState(() => (isAdding ? emptyEntry('fertilized') : null));
  const form = useRef<EntryFormHandle>(null);
  const isAlbum = filter === photosOnly;
  const panel = useRef<HTMLDivElement>(null);
  const zone = useZone();
  const items = useMemo(
    () => shownItems(filter, editing, { entries, hasOlder }, album, zone),
    [filter, editing, entries, hasOlder, album, zone],
  );

  function add(type: AddableType): void {
    if (type === 'note') {
      if (form.current) form.current.changeType(type);
      else setNewEntry(emptyEntry(type));
      return;
    }
    addAndOffer(db, plant, emptyEntry(type)).catch((error: unknown) => console.warn(error));
  }
  const onEdit = useCallback((entry: ShownEntry, isEditing: boolean) => {
    setEditing((entries) => {
      const others = [...entries].filter(([id]) => id !== entry.id);
      return new Map(isEditing ? [...others, [entry.id, entry]] : others);
    });
  }, []);
  const focusPanel = useCallback(() => panel.current?.focus(), []);
  function changeFilter(next: string): void {
    setFilter(next);
    // Until the entries have been read, their number is unknown.
    if (!journal) return;
    const items = shownItems(next, editing, history, album, zone);
    const { length } = items.filter(({ type }) => type === 'entry');
    const count = next === photosOnly ? plural(album.all.length, 'photo') : entriesText(length);
    announce(`${count} shown`);
  }
  function closeForm(): void {
    setNewEntry(null);
    onAdded();
    focusPanel();
  }

  return (
    <div className={styles.history} ref={panel} tabIndex={-1}>
      <div className={styles.toolbar}>
        <SelectField
          label="Show"
          options={filterOptions}
          value={filter}
          onChange={(event) => changeFilter(event.target.value)}
        />
        {!isDeleted && (
          <Menu
            label="Add entry"
            text="Add entry"
            look="primary"
            icon={<Plus aria-hidden size={18} />}
            items={formTypes.map((type) => ({
              label: type === 'note' ? 'Note…' : entryTitles[type],
              icon: <EntryIcon type={type} source="manual" />,
              onSelect: () => add(type),
            }))}
          />
        )}
      </div>
      {isDeleted && (
        <Banner look="error">
          <p>
            <bdi>{nickname}</bdi> has been deleted on another device, so nothing can be saved here.
            Copy what you typed before you close this.
          </p>
        </Banner>
      )}
      {newEntry && (
        <EntryForm
          ref={form}
          title={`Add to history of ${nickname}`}
          initial={newEntry}
          isNew
          isReadOnly={isDeleted}
          submitText="Add"
          onSubmit={async (values) => {
            await addAndOffer(db, plant, values);
            // Another dialog may be open by now, whose URL must not be replaced.
            if (isOpen()) closeForm();
          }}
          onClose={closeForm}
        />
      )}
      {journal && !journal.isStored && (
        <Banner look="info">
          <p>Earlier entries are not on this device yet. They are loaded while you are online.</p>
        </Banner>
      )}
      {!isDeleted && (
        <PlantPhotos
          album={album}
          isOpen={isAlbum}
          onOpen={() => {
            setFilter(photosOnly);
            // The focused button disappears.
            focusPanel();
          }}
        />
      )}
      <EntryList
        album={album}
        items={items}
        editing={editing}
        isReadOnly={isDeleted}
        onEdit={onEdit}
        onClosed={focusPanel}
      />
      {journal?.isStored && items.length === 0 && !isAlbum && !isDeleted && (
        <Nothing nickname={nickname} isFiltered={filter !== allEntries} hasOlder={hasOlder} />
      )}
      {/* The key ends a search of older entries when the filter changes. */}
      <OlderEntries key={filter} history={history} filter={filter} panel={panel} />
      {photoId !== null && <OpenedPhoto album={album} openId={photoId} viewer={viewer} />}
    </div>
  );
}

function entriesText(count: number): string {
  return count === 0 ? 'No entries' : plural(count, 'entry', 'entries');
}

/** A new entry with the current time. */
function emptyEntry(type: AddableType) {
  return { type, at: Date.now(), note: null, amount_ml: null };
}

function Nothing({
  nickname,
  isFiltered,
  hasOlder,
}: {
  nickname: string;
  isFiltered: boolean;
  hasOlder: boolean;
}) {
  if (hasOlder) return <p className={styles.none}>None of the loaded entries is of this kind.</p>;
  if (isFiltered) return <p className={styles.none}>No entries of this kind.</p>;
  return (
    <EmptyState title="Nothing here yet">
      <p>
        Waterings appear here by themselves. Add when you fertilize, repot or prune{' '}
        <bdi>{nickname}</bdi>, or what you have noticed.
      </p>
    </EmptyState>
  );
}
