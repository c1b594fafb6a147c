import { buildIfNeeded } from '../../../src/build/build-if-needed.mjs';

/** Runs before all test files: builds the server for the tests that start it as a process. */
export function setup(): void {
  buildIfNeeded();
}
