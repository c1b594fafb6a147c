import * as v from 'valibot';
import {
  addableTypes,
  type EntryEdit,
  entryLimits,
  type JournalEntry,
  type NewEntry,
} from '#domain/journal/entry.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import type { PlantRecord, WireId } from '#domain/plant/plant.ts';
import { momentSchema } from './moment.ts';
import { journalPhotoSchema } from './photos.ts';
import { recordEntries } from './plants.ts';
import { type ApiRequest, pathFor, request } from './request.ts';

export const journalPaths = {
  /** The newest entries of several plants. */
  ofPlants: '/api/journal',
  ofPlant: '/api/plants/:id/journal',
  entry: '/api/plants/:id/journal/:entry',
} as const;

export const journalLimits = {
  /** Entries in one page of a plant's journal. */
  page: 100,
  /** Plants in one request for the journals of several plants. */
  plants: 50,
  /** Entries of each of these plants. */
  entriesOfEach: 20,
} as const;

/** A page of a plant's journal, newest first. */
export interface PlantJournal {
  /** The `journal_version` of the plant when this was read. */
  version: number;
  entries: JournalEntry[];
  /** Every photo of the plant, newest first. Only the first page contains them. */
  photos?: JournalPhoto[] | undefined;
  /** The `before` of the request for the next page; null on the last page. */
  next: string | null;
}

/** Allows unknown fields, so that an installed app works with a newer server. */
export const journalEntrySchema: v.GenericSchema<unknown, JournalEntry> = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1)),
  type: v.string(),
  source: v.picklist(['manual', 'auto']),
  at: v.string(),
  note: v.optional(v.nullable(v.string()), null),
  amount_ml: v.optional(v.nullable(v.number()), null),
  soil_before: v.optional(v.nullable(v.number()), null),
  soil_after: v.optional(v.nullable(v.number()), null),
  days: v.optional(v.nullable(v.number()), null),
  reason: v.optional(v.nullable(v.string()), null),
});

export const plantJournalSchema: v.GenericSchema<unknown, PlantJournal> = v.looseObject({
  version: v.number(),
  entries: v.array(journalEntrySchema),
  photos: v.optional(v.array(journalPhotoSchema)),
  next: v.nullable(v.string()),
});

/** Journals by plant id. A plant that the account does not have is left out. */
export interface JournalsResponse {
  journals: Record<string, PlantJournal>;
}

export const journalsResponseSchema: v.GenericSchema<unknown, JournalsResponse> = v.looseObject({
  journals: v.record(v.string(), plantJournalSchema),
});

const note = v.nullable(
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(entryLimits.note),
    v.transform((text) => text || null),
  ),
);

const amount = v.nullable(
  v.pipe(v.number(), v.minValue(entryLimits.amount.min), v.maxValue(entryLimits.amount.max)),
);

/** The payload of POST …/journal. */
export const newEntrySchema: v.GenericSchema<unknown, NewEntry> = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.uuid('Must be a UUID')),
    type: v.picklist(addableTypes),
    at: momentSchema,
    note: v.optional(note, null),
    amount_ml: v.optional(amount, null),
    days: v.optional(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(30))),
      null,
    ),
  }),
  v.forward(
    v.check(({ type, days }) => type !== 'snoozed' || days !== null, 'Required'),
    ['days'],
  ),
  v.forward(
    v.check((entry) => entry.type !== 'note' || entry.note !== null, 'A note needs a text'),
    ['note'],
  ),
  v.forward(
    v.check(
      (entry) => entry.type === 'watered' || entry.amount_ml === null,
      'Only a watering has an amount',
    ),
    ['amount_ml'],
  ),
);

/** The payload of PUT …/journal/{entry}: the fields to change. Installed apps of earlier versions send all. */
export const entryEditSchema: v.GenericSchema<unknown, EntryEdit> = v.object({
  at: v.exactOptional(momentSchema),
  note: v.exactOptional(note),
  amount_ml: v.exactOptional(amount),
});

/** `before`: the `next` of the previous page. */
export interface JournalQuery {
  before?: string | undefined;
  limit?: number | undefined;
}

export const journalQuerySchema: v.GenericSchema<unknown, JournalQuery> = v.object({
  before: v.optional(v.pipe(v.string(), v.maxLength(100))),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.digits(),
      v.transform(Number),
      v.minValue(1),
      v.maxValue(journalLimits.page),
    ),
  ),
});

/** `plants`: ids, separated by commas. */
export const journalsQuerySchema: v.GenericSchema<unknown, { plants: string[] }> = v.object({
  plants: v.pipe(
    v.string(),
    v.transform((text) => text.split(',').filter(Boolean)),
    // Not minLength and maxLength: the API description would give them as lengths of the text.
    v.check((ids) => ids.length > 0, 'Must name a plant'),
    v.check(
      (ids) => ids.length <= journalLimits.plants,
      `Must name at most ${journalLimits.plants} plants`,
    ),
  ),
});

/**
 * In responses to changes of a journal and to POST …/water, the plant's record has an additional field of this name. It
 * contains the stored entry, or null if the entry was deleted.
 */
export const journalEntryField = 'journal_entry';

/** A plant's record with `journal_entry`. */
export const changedJournalSchema: v.GenericSchema<
  unknown,
  PlantRecord & { journal_entry?: JournalEntry | null | undefined }
> = v.looseObject({ ...recordEntries, journal_entry: v.nullish(journalEntrySchema) });

export function journalRequest(plantId: WireId, query: JournalQuery = {}): ApiRequest {
  return request('GET', pathFor(journalPaths.ofPlant, plantId), { query: { ...query } });
}

export function journalsRequest(plantIds: readonly string[]): ApiRequest {
  return request('GET', journalPaths.ofPlants, { query: { plants: plantIds.join(',') } });
}

export function addEntryRequest(plantId: WireId, entry: NewEntry): ApiRequest {
  return request('POST', pathFor(journalPaths.ofPlant, plantId), { body: entry });
}

export function editEntryRequest(plantId: WireId, entryId: string, edit: EntryEdit): ApiRequest {
  return request('PUT', entryPath(plantId, entryId), { body: edit });
}

export function removeEntryRequest(plantId: WireId, entryId: string): ApiRequest {
  return request('DELETE', entryPath(plantId, entryId));
}

function entryPath(plantId: WireId, entryId: string): string {
  return pathFor(journalPaths.entry, plantId).replace(':entry', encodeURIComponent(entryId));
}
