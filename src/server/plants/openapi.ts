import { changedJournalSchema } from '#contract/journal.ts';
import { latestReadingSchema } from '#contract/logs.ts';
import { plantDeltaSchema } from '#contract/plant-delta.ts';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import {
  createQuerySchema,
  messageResponseSchema,
  plantListSchema,
  plantPaths,
  plantRecordSchema,
  plantsWithReadingsSchema,
  updateQuerySchema,
  waterQuerySchema,
} from '#contract/plants.ts';
import { wireFields } from '#domain/plant/fields.ts';
import type { BadInput, Operation } from '../http/openapi/operation.ts';

const tag = 'Plants';

const example = {
  nickname: 'Fern',
  plant_name: 'Boston Fern',
  species: 'Nephrolepis exaltata',
  category: 'Indoor',
  location: 'Bathroom',
  watering_frequency: 3,
  soil_humidity_threshold_min: 30,
  soil_humidity_threshold_max: 70,
};

const laterFields = wireFields
  .filter(({ spec }) => spec.since)
  .map(({ name }) => `\`${name}\``)
  .join(', ');

const badPlant: BadInput = {
  summary: 'No nickname, and a minimum above its maximum',
  body: { ...example, nickname: ' ', soil_humidity_threshold_min: 80 },
  detail: [
    { loc: ['body', 'nickname'], msg: 'Nickname is required' },
    {
      loc: ['body', 'soil_humidity_threshold_min'],
      msg: 'Minimum must be less than maximum',
    },
  ],
};

export const plantOperations: readonly Operation[] = [
  {
    id: 'listPlants',
    method: 'get',
    path: plantPaths.all,
    tag,
    summary: 'All plants of the account',
    description:
      'With `A-IM: sprig-delta` and the ETag of an earlier response in If-None-Match, the response is a 226 with the changes since then: the changed plants, and the ids of deleted ones. New readings alone do not change this list. If the ETag is unknown or too old, or if a delta would be larger, the response is the whole list.',
    caller: 'person',
    condition: 'if-none-match',
    delta: plantDeltaSchema,
    success: { status: 200, description: 'The plants', schema: plantListSchema },
  },
  {
    id: 'listPlantsWithReadings',
    method: 'get',
    path: plantPaths.withReadings,
    tag,
    summary: 'All plants of the account, each with its newest values',
    description:
      'With `A-IM: sprig-delta` and the ETag of an earlier response in If-None-Match, the response is a 226 with the changes since then: the changed plants (`changed`), the ids of deleted ones (`removed`), and per plant at most 24 new readings, newest first (`readings`). A plant that has only new readings is not in `changed`. If the ETag is unknown or too old, or if a delta would be larger, the response is the whole list.',
    caller: 'person',
    condition: 'if-none-match',
    delta: plantDeltaSchema,
    success: { status: 200, description: 'The plants', schema: plantsWithReadingsSchema },
  },
  {
    id: 'createPlant',
    method: 'post',
    path: plantPaths.all,
    tag,
    summary: 'Add a plant',
    caller: 'person',
    query: createQuerySchema,
    body: plantPayloadSchema,
    example,
    isIdempotent: true,
    success: {
      status: 201,
      description: 'The new plant',
      schema: plantRecordSchema,
      hasEtag: true,
    },
    badInput: [badPlant],
  },
  {
    id: 'readPlant',
    method: 'get',
    path: plantPaths.one,
    tag,
    summary: 'One plant',
    description:
      'The ETag consists of the version of the plant and a hash of the response, e.g. `"v7.…"`. Edits and changes of the journal, such as waterings, change the version; readings can change only the hash. If-Match compares versions, so it accepts this ETag as well as `"v7"`, the ETag of the response to a change.',
    caller: 'person',
    names: 'plant',
    condition: 'if-none-match',
    success: { status: 200, description: 'The plant', schema: plantRecordSchema, hasEtag: true },
  },
  {
    id: 'updatePlant',
    method: 'put',
    path: plantPaths.one,
    tag,
    summary: 'Replace the fields of a plant',
    description: `Send all fields: an omitted one is set to its default, or to null. Only fields that are newer than version 0.1 (${laterFields}) keep their value when they are omitted.`,
    caller: 'person',
    names: 'plant',
    query: updateQuerySchema,
    body: plantPayloadSchema,
    example: { ...example, location: 'Kitchen' },
    isIdempotent: true,
    condition: 'if-match',
    success: {
      status: 200,
      description: 'The plant after the change',
      schema: plantRecordSchema,
      hasEtag: true,
    },
    badInput: [badPlant],
  },
  {
    id: 'deletePlant',
    method: 'delete',
    path: plantPaths.one,
    tag,
    summary: 'Delete a plant with its readings, journal and photos',
    caller: 'person',
    names: 'plant',
    isIdempotent: true,
    condition: 'if-match',
    success: { status: 200, description: 'Deleted', schema: messageResponseSchema },
  },
  {
    id: 'waterPlant',
    method: 'post',
    path: plantPaths.water,
    tag,
    summary: 'Record that a plant was watered by hand',
    description:
      'Does not start a pump: it records what a person has done. Has no request body. An Idempotency-Key that is a UUID becomes the id of the entry in the journal.',
    caller: 'person',
    names: 'plant',
    query: waterQuerySchema,
    isIdempotent: true,
    condition: 'if-match',
    success: {
      status: 200,
      description:
        'The plant with its new `last_watered` and `next_watering_date`, and the entry in `journal_entry`',
      schema: changedJournalSchema,
      hasEtag: true,
    },
    badInput: [
      {
        summary: 'An amount of 0',
        query: '?amount=0',
        detail: [{ loc: ['query', 'amount'], msg: 'Expected >=1' }],
      },
    ],
  },
  {
    id: 'readLatestReading',
    method: 'get',
    path: plantPaths.latestReadings,
    tag: 'Readings',
    summary: 'The newest reading of a plant',
    caller: 'person',
    names: 'plant',
    success: {
      status: 200,
      description: 'The reading; all fields are null if there is none',
      schema: latestReadingSchema,
    },
  },
];
