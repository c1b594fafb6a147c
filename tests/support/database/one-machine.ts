import { test } from 'vitest';

/**
 * A test of locks, plans, files or triggers of one PostgreSQL. With CITUS_URL it is not collected: these are on the
 * workers there, or do not exist.
 */
export function oneMachineTest(title: string, work: () => Promise<void>): void {
  if (!process.env.CITUS_URL) test(title, work);
}
