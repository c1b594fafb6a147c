import type { TestProject } from 'vitest/node';
import { buildIfNeeded } from '../../../src/server/build-if-needed.mjs';
import { findChromium } from '../../support/find-chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string;
  }
}

/** End-to-end tests drive what users get: the built app in a real browser. */
export function setup(project: TestProject): void {
  project.provide('chromium', findChromium());
  buildIfNeeded();
}
