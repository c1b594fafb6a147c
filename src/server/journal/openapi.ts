import {
  changedJournalSchema,
  entryEditSchema,
  journalPaths,
  journalQuerySchema,
  journalsQuerySchema,
  journalsResponseSchema,
  newEntrySchema,
  plantJournalSchema,
} from '#contract/journal.ts';
import {
  photoPaths,
  photoQuerySchema,
  photoSizeQuerySchema,
  photosResponseSchema,
} from '#contract/photos.ts';
import { plantRecordSchema } from '#contract/plants.ts';
import { photoLimits } from '#domain/journal/photo.ts';
import type { Operation } from '../http/openapi/operation.ts';

const tag = 'Journal';

const watering = {
  id: '0a2b9d8e-7c41-4f5b-9d5e-3f6a1c2b4d5e',
  type: 'watered',
  at: '2026-11-20T07:30:00Z',
  note: 'The soil was dry two fingers deep',
  amount_ml: 250,
};
const edit = { at: '2026-11-20T06:00:00Z', amount_ml: 300 };

const notChangeable =
  'Automatic watering added the entry, so it cannot be changed; or a device token was used (`forbidden`)';

export const journalOperations: readonly Operation[] = [
  {
    id: 'readJournals',
    method: 'get',
    path: journalPaths.ofPlants,
    tag,
    summary: 'The newest entries of several plants',
    description:
      'The newest 20 entries and all photos of up to 50 plants, by the id of the plant. Unknown plants are left out.',
    caller: 'person',
    query: journalsQuerySchema,
    condition: 'if-none-match',
    success: { status: 200, description: 'The journals', schema: journalsResponseSchema },
    badInput: [
      {
        summary: 'No plant',
        query: '?plants=',
        detail: [{ loc: ['query', 'plants'], msg: 'Must name a plant' }],
      },
    ],
  },
  {
    id: 'readJournal',
    method: 'get',
    path: journalPaths.ofPlant,
    tag,
    summary: 'The journal of a plant, newest first',
    description:
      'What was done to the plant and when: waterings by hand and by the pump, what people added, and why automatic watering did not water although the soil was too dry. `version` is the `journal_version` of the plant at that time. While it is the same, only `soil_after` may change.',
    caller: 'person',
    names: 'plant',
    query: journalQuerySchema,
    condition: 'if-none-match',
    success: { status: 200, description: 'A page of the journal', schema: plantJournalSchema },
    badInput: [
      {
        summary: 'An unknown cursor',
        query: '?before=yesterday',
        detail: [{ loc: ['query', 'before'], msg: 'Must be a `next`' }],
      },
    ],
  },
  {
    id: 'addEntry',
    method: 'post',
    path: journalPaths.ofPlant,
    tag,
    summary: 'Add an entry to the journal of a plant',
    description:
      'The client chooses the id. If the plant already has an entry with this id, the response is a 200 with that entry, and nothing is changed. The dates of the plant are derived from its entries: `last_watered`, `last_fertilized`, `snoozed_until` and `next_watering_date`.',
    caller: 'person',
    names: 'plant',
    body: newEntrySchema,
    example: watering,
    isIdempotent: true,
    condition: 'if-match',
    success: {
      status: 201,
      description: 'The plant, and the new entry in `journal_entry`',
      schema: changedJournalSchema,
      hasEtag: true,
    },
    alternative: {
      status: 200,
      description: 'The plant, and the entry that it already had',
      schema: changedJournalSchema,
      hasEtag: true,
    },
    badInput: [
      {
        summary: 'A note without a text',
        body: { ...watering, type: 'note', note: ' ', amount_ml: null },
        detail: [{ loc: ['body', 'note'], msg: 'A note needs a text' }],
      },
    ],
  },
  {
    id: 'editEntry',
    method: 'put',
    path: journalPaths.entry,
    tag,
    summary: 'Change an entry of a journal',
    description:
      'Send only the fields to change: the others keep their values, also those that another device changes at the same time. An edit without a field changes no value. Type and source never change. The limits of automatic watering still count a watering with its old time and amount.',
    caller: 'person',
    names: 'plant or entry',
    body: entryEditSchema,
    example: edit,
    isIdempotent: true,
    condition: 'if-match',
    success: {
      status: 200,
      description: 'The plant, and the changed entry in `journal_entry`',
      schema: changedJournalSchema,
      hasEtag: true,
    },
    errors: { 403: notChangeable },
    badInput: [
      {
        summary: 'An amount of 0',
        body: { ...edit, amount_ml: 0 },
        detail: [{ loc: ['body', 'amount_ml'], msg: 'Expected >=1' }],
      },
    ],
  },
  {
    id: 'removeEntry',
    method: 'delete',
    path: journalPaths.entry,
    tag,
    summary: 'Remove an entry from a journal',
    description:
      'The plant keeps the photos of the entry. The limits of automatic watering still count a removed watering.',
    caller: 'person',
    names: 'plant or entry',
    isIdempotent: true,
    condition: 'if-match',
    success: {
      status: 200,
      description: 'The plant; `journal_entry` is null',
      schema: changedJournalSchema,
      hasEtag: true,
    },
    errors: { 403: notChangeable },
  },
  {
    id: 'listPhotos',
    method: 'get',
    path: photoPaths.ofPlant,
    tag,
    summary: 'All photos of a plant, newest first',
    caller: 'person',
    names: 'plant',
    condition: 'if-none-match',
    success: { status: 200, description: 'The photos without bytes', schema: photosResponseSchema },
  },
  {
    id: 'readPhoto',
    method: 'get',
    path: photoPaths.one,
    tag,
    summary: 'The bytes of a photo',
    description: 'They never change, so the response can be cached forever.',
    caller: 'person',
    names: 'photo',
    query: photoSizeQuerySchema,
    condition: 'if-none-match',
    success: { status: 200, description: 'A JPEG', contentType: 'image/jpeg' },
    badInput: [
      {
        summary: 'An unknown size',
        query: '?size=huge',
        detail: [{ loc: ['query', 'size'], msg: 'Expected ("full" | "small")' }],
      },
    ],
  },
  {
    id: 'putPhoto',
    method: 'put',
    path: photoPaths.one,
    tag,
    summary: 'Add a photo to a plant',
    description:
      'The client chooses the id, a UUID, and makes both sizes. A repeated request with the same bytes changes nothing, so no Idempotency-Key is needed. If the plant has no entry `entry_id`, the photo belongs to no entry. The server stores the bytes unchanged, with all metadata.',
    caller: 'person',
    names: 'photo or plant',
    query: photoQuerySchema,
    files: {
      full: `JPEG, at most ${photoLimits.bytes / 1024 / 1024} MiB (configurable) and ${photoLimits.pixels / 1_000_000} megapixels`,
      small: `JPEG, at most ${photoLimits.smallBytes / 1024} KiB`,
    },
    success: { status: 200, description: 'The plant', schema: plantRecordSchema, hasEtag: true },
    errors: {
      410: 'The photo was deleted (`gone`)',
      413: 'A file has too many bytes or pixels (`body_too_large`)',
      415: 'The body is not multipart/form-data, or a file is not a JPEG (`invalid`)',
    },
    badInput: [
      {
        summary: 'No time',
        query: '?plant_id=01890000-0000-7000-8000-000000000000',
        detail: [{ loc: ['query', 'taken_at'], msg: 'Required' }],
      },
    ],
  },
  {
    id: 'deletePhoto',
    method: 'delete',
    path: photoPaths.one,
    tag,
    summary: 'Delete a photo',
    description: 'If it is the picture of the plant, `photo_id` becomes null.',
    caller: 'person',
    names: 'photo',
    isIdempotent: true,
    success: { status: 200, description: 'The plant', schema: plantRecordSchema, hasEtag: true },
  },
];
