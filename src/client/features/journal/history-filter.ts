import type { EntryType } from '#domain/journal/entry.ts';
import type { TimeZone } from '#domain/zone.ts';
import type { Album } from '../photos/plant-photos.tsx';
import {
  type EditedEntries,
  entryItems,
  type HistoryItem,
  missingItems,
  newestFirst,
  photoItems,
} from './history-items.ts';
import type { HistoryView } from './use-history.ts';

export const allEntries = 'all';
export const photosOnly = 'photos';

const filterLabels: Readonly<Record<EntryType, string>> = {
  watered: 'Waterings',
  not_watered: 'Not watered',
  fertilized: 'Fertilizing',
  repotted: 'Repotting',
  pruned: 'Pruning',
  note: 'Notes',
  snoozed: 'Snoozes',
};

/** For the filter's select field. The values are `allEntries`, `photosOnly` and the types of entries. */
export const filterOptions: readonly (readonly [value: string, label: string])[] = [
  [allEntries, 'All'],
  [photosOnly, 'Photos'],
  ...Object.entries(filterLabels),
];

/**
 * The entries that match the filter or whose form is open, newest first; without a filter also the photos that belong
 * to no entry.
 */
export function shownItems(
  filter: string,
  editing: EditedEntries,
  { entries, hasOlder }: Pick<HistoryView, 'entries' | 'hasOlder'>,
  album: Album,
  zone: TimeZone,
): HistoryItem[] {
  const shown = entries.filter(({ id, type }) => isShown(type, filter) || editing.has(id));
  return newestFirst([
    ...entryItems(shown, editing),
    ...missingItems(editing, entries, hasOlder),
    ...(filter === allEntries ? photoItems(album.all, entries, hasOlder, zone) : []),
  ]);
}

/** Whether the filter matches an entry of this type. */
export function isShown(type: string, filter: string): boolean {
  return filter === allEntries || type === filter;
}
