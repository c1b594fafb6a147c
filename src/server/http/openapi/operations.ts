import * as v from 'valibot';
import { accountOperations } from '../../accounts/openapi.ts';
import { accountSettingsOperations } from '../../accounts/settings/openapi.ts';
import { deviceOperations } from '../../devices/openapi.ts';
import { journalOperations } from '../../journal/openapi.ts';
import { liveOperations } from '../../live/openapi.ts';
import { plantOperations } from '../../plants/openapi.ts';
import { logOperations } from '../../readings/openapi.ts';
import { calendarOperations } from '../../reminders/calendar/openapi.ts';
import { reminderOperations } from '../../reminders/openapi.ts';
import { batchOperations } from '../batch/openapi.ts';
import type { Operation } from './operation.ts';
import { servicePaths } from './service-paths.ts';

const tag = 'Service';

const healthSchema = v.object({ status: v.literal('ok') });
const documentSchema = v.looseObject({ openapi: v.string() });

const serviceOperations: readonly Operation[] = [
  {
    id: 'readHealth',
    method: 'get',
    path: servicePaths.health,
    tag,
    summary: 'Check whether the server and its database respond',
    caller: 'anybody',
    success: { status: 200, description: 'Healthy', schema: healthSchema },
  },
  {
    id: 'readApiDescription',
    method: 'get',
    path: servicePaths.document,
    tag,
    summary: 'Get this document',
    caller: 'anybody',
    condition: 'if-none-match',
    success: { status: 200, description: 'An OpenAPI 3.1 document', schema: documentSchema },
  },
];

/** All endpoints of the server. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...accountSettingsOperations,
  ...plantOperations,
  ...batchOperations,
  ...journalOperations,
  ...logOperations,
  ...liveOperations,
  ...deviceOperations,
  ...reminderOperations,
  ...calendarOperations,
  ...serviceOperations,
];
