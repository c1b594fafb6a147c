import { expect, test } from 'vitest';
import { entryItems, newestFirst, photoItems } from '#client/features/journal/history-items.ts';
import type { ShownPhoto } from '#client/features/photos/shown-photos.ts';
import { applyEntryOps, type ShownEntry } from '#client/store/journal/shown-entries.ts';
import { defaultZone } from '#domain/zone.ts';
import { journalEntry } from '../../../support/device/device-rows.ts';

function photo(id: string, taken_at: string, entry_id: string | null = null): ShownPhoto {
  const shown = { plantKey: 'monty', timeText: '', alt: '', note: null };
  return { id, taken_at, entry_id, width: 4, height: 3, isWaiting: false, ...shown } as ShownPhoto;
}

const entries = (...moments: string[]): ShownEntry[] =>
  applyEntryOps(
    moments.map((at) => journalEntry({ id: at, at })),
    [],
  );

const idsOf = (photos: ShownPhoto[], of: ShownEntry[] = [], hasOlder = false) =>
  photoItems(photos, of, hasOlder, defaultZone).map((item) =>
    item.type === 'photos' ? item.photos.map(({ id }) => id) : [],
  );

test('photos of one day are one item, at the time of the newest', () => {
  const photos = [
    photo('c', '2026-11-20T10:00:00Z'),
    photo('b', '2026-11-20T09:00:00Z'),
    photo('a', '2026-11-19T09:00:00Z'),
  ];
  expect(idsOf(photos)).toEqual([['c', 'b'], ['a']]);
  const [first] = photoItems(photos, [], false, defaultZone);
  expect(first?.at).toBe(Date.parse('2026-11-20T10:00:00Z'));
});

test('a day ends at midnight in the given time zone', () => {
  const photos = [photo('b', '2026-11-20T17:00:00Z'), photo('a', '2026-11-20T16:59:59Z')];
  expect(idsOf(photos)).toEqual([['b'], ['a']]);
});

test('photos of an entry are not listed separately, but photos of a deleted entry are', () => {
  const [at = ''] = ['2026-11-20T10:00:00Z'];
  const photos = [photo('a', at, at), photo('b', at, 'deleted')];
  expect(idsOf(photos, entries(at))).toEqual([['b']]);
});

test('while older entries are not loaded, their photos and photos older than the loaded entries are not listed', () => {
  const at = '2026-11-20T10:00:00Z';
  const photos = [
    photo('c', '2026-11-20T12:00:00Z'),
    photo('b', '2026-11-20T11:00:00Z', 'not loaded'),
    photo('a', '2026-11-01T10:00:00Z'),
  ];
  expect(idsOf(photos, entries(at), true)).toEqual([['c']]);
});

test('an entry that is not sent yet does not list the photos since its date, as its older neighbours are not loaded', () => {
  const at = '2026-11-20T10:00:00Z';
  const [stored] = entries(at);
  if (!stored) throw new Error('No entry');
  const waiting: ShownEntry = {
    ...stored,
    id: 'backdated',
    at: Date.parse('2026-06-20T10:00:00Z'),
    serverAt: null,
    state: 'waiting',
  };
  const photos = [photo('b', '2026-11-20T12:00:00Z'), photo('a', '2026-08-01T10:00:00Z')];
  expect(idsOf(photos, [stored, waiting], true)).toEqual([['b']]);
});

test('entries and photos are sorted by time, newest first', () => {
  const of = entries('2026-11-21T10:00:00Z', '2026-11-20T08:00:00Z');
  const items = [
    ...entryItems(of),
    ...photoItems([photo('a', '2026-11-20T09:00:00Z')], of, false, defaultZone),
  ];
  expect(newestFirst(items).map(({ type }) => type)).toEqual(['entry', 'photos', 'entry']);
});
