import { buildIfNeeded } from '../../src/build/build-if-needed.mjs';

/** Before all test files: those that start the server as a process take the built one. */
export function setup(): void {
  buildIfNeeded();
}
