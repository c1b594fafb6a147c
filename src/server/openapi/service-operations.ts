import * as v from 'valibot';
import type { Operation } from './operation.ts';

const tag = 'Service';

/** What is there for those who run or explore the server, not for the app. */
export const servicePaths = {
  health: '/healthz',
  document: '/api/openapi.json',
  /** In development only, and so not part of the document. */
  page: '/api/docs',
} as const;

const healthSchema = v.object({ status: v.literal('ok') });
const documentSchema = v.looseObject({ openapi: v.string() });

export const serviceOperations: readonly Operation[] = [
  {
    id: 'readHealth',
    method: 'get',
    path: servicePaths.health,
    tag,
    summary: 'Whether the server can answer',
    caller: 'anybody',
    success: { status: 200, description: 'It can', schema: healthSchema },
  },
  {
    id: 'readApiDescription',
    method: 'get',
    path: servicePaths.document,
    tag,
    summary: 'This description',
    caller: 'anybody',
    condition: 'if-none-match',
    success: { status: 200, description: 'An OpenAPI 3.1 document', schema: documentSchema },
  },
];
