import { accountOperations } from '../accounts/openapi.ts';
import { deviceOperations } from '../devices/openapi.ts';
import { plantOperations } from '../plants/openapi.ts';
import { logOperations } from '../readings/openapi.ts';
import type { Operation } from './operation.ts';
import { serviceOperations } from './service-operations.ts';

/** All endpoints of the server. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...plantOperations,
  ...logOperations,
  ...deviceOperations,
  ...serviceOperations,
];
