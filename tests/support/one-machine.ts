import { test } from 'vitest';

/**
 * A test of locks, plans or files of one PostgreSQL. With CITUS_URL it is not collected: they are on the workers there.
 */
export function oneMachineTest(title: string, work: () => Promise<void>): void {
  if (!process.env.CITUS_URL) test(title, work);
}
