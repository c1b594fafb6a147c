import { accountOperations } from './account-operations.ts';
import { deviceOperations } from './device-operations.ts';
import { logOperations } from './log-operations.ts';
import type { Operation } from './operation.ts';
import { plantOperations } from './plant-operations.ts';
import { serviceOperations } from './service-operations.ts';

/** Every call that the server answers. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...plantOperations,
  ...logOperations,
  ...deviceOperations,
  ...serviceOperations,
];
