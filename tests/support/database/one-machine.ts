import { test } from 'vitest';

/**
 * A test of locks, plans, files or triggers of one PostgreSQL. It is left out with CITUS_URL, because on a cluster
 * these are on the workers or do not exist.
 */
export function oneMachineTest(title: string, work: () => Promise<void>): void {
  if (!process.env.CITUS_URL) test(title, work);
}
