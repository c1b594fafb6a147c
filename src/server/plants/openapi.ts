import { latestReadingSchema } from '#contract/logs.ts';
import { plantDeltaSchema } from '#contract/plant-delta.ts';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import {
  messageAnswerSchema,
  plantListSchema,
  plantPaths,
  plantRecordSchema,
  plantsWithReadingsSchema,
  waterQuerySchema,
} from '#contract/plants.ts';
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
      'With `A-IM: sprig-delta` and an earlier ETag the answer is a 226 that holds only what has changed: the plants whose record did, and the ids of deleted ones. Readings alone change nothing here. The whole list comes for an unknown or old ETag, and where a delta would be larger.',
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
      'With `A-IM: sprig-delta` and an earlier ETag the answer is a 226 that holds only what has changed: the plants whose record did, the ids of deleted ones, and by plant at most 24 readings stored since, newest first. A plant with nothing new but readings stands only there. The whole list comes for an unknown or old ETag, and where a delta would be larger.',
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
      'The ETag is the version of what a person has said about the plant: edits and waterings change it, readings do not.',
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
    description: 'The complete payload: an omitted field is set to its default, or to null.',
    caller: 'person',
    names: 'plant',
    body: plantPayloadSchema,
    example: { ...example, location: 'Kitchen' },
    isIdempotent: true,
    condition: 'if-match',
    success: {
      status: 200,
      description: 'The plant as it now is',
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
    summary: 'Delete a plant with its readings and waterings',
    caller: 'person',
    names: 'plant',
    isIdempotent: true,
    condition: 'if-match',
    success: { status: 200, description: 'Deleted', schema: messageAnswerSchema },
  },
  {
    id: 'waterPlant',
    method: 'post',
    path: plantPaths.water,
    tag,
    summary: 'Record that a plant was watered by hand',
    description: 'Runs no pump: it records what a person has done. Takes no body.',
    caller: 'person',
    names: 'plant',
    query: waterQuerySchema,
    isIdempotent: true,
    condition: 'if-match',
    success: {
      status: 200,
      description: 'The plant with its new `last_watered` and `next_watering_date`',
      schema: plantRecordSchema,
      hasEtag: true,
    },
    badInput: [
      {
        summary: 'No water at all',
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
      description: 'The reading; everything null while there is none',
      schema: latestReadingSchema,
    },
  },
];
