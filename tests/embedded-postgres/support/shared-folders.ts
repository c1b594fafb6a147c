import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import type { SetupProject } from '../../support/provided.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For data folders that several test files copy. */
    sharedFolder: string;
    /** For bundles of test programs, inside the project so that they find its packages. */
    bundleFolder: string;
  }
}

/** Later test files in the same process use these folders again, so they are removed after the run. */
export function setup(project: SetupProject): () => void {
  const sharedFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-shared-'));
  fs.chmodSync(sharedFolder, 0o755);
  const cache = path.join(projectRoot, 'node_modules/.cache');
  fs.mkdirSync(cache, { recursive: true });
  const bundleFolder = fs.mkdtempSync(path.join(cache, 'embedded-tests-'));
  project.provide('sharedFolder', sharedFolder);
  project.provide('bundleFolder', bundleFolder);
  return () => {
    for (const folder of [sharedFolder, bundleFolder])
      fs.rmSync(folder, { recursive: true, force: true });
  };
}
