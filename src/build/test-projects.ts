import os from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import type { ViteUserConfig } from 'vitest/config';
import { articleSummaries } from './article-summaries.ts';
import { chromiumTestArgs, findHeadlessShell } from './find-chromium.ts';
import { LongFilesFirst } from './long-files-first.ts';

type TestOptions = NonNullable<ViteUserConfig['test']>;

/**
 * Files share processes (or pages), because one per file would spend more time on loading modules than on tests. So a
 * file must undo what it changes in a module, in the process or in the page.
 */
const shared = { isolate: false };

/** React's production build, as in the app. With the development build, component tests take a tenth more CPU. */
const productionReact = { 'process.env.NODE_ENV': '"production"' };

/** More than cores, because browsers and servers spend half of their time waiting. */
const maxWorkers = os.availableParallelism() + 1;

/** Timeouts that end hanging tests. They are long enough for a machine that is five times slower than usual. */
const limits = {
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
};

/** With CITUS_URL the server tests run on that cluster, and tests of clusters are added. */
const isCluster = Boolean(process.env.CITUS_URL);

/** Vitest shuffles files only if the configuration sets no sequencer. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

/** What `vitest --project <name>` runs. tests/README.md says what belongs where. */
export const testOptions: TestOptions = {
  maxWorkers,
  ...(!isShuffled && { sequence: { sequencer: LongFilesFirst } }),
  projects: [
    {
      plugins: [articleSummaries()],
      test: {
        name: 'unit',
        include: ['tests/**/*.test.{ts,tsx}'],
        exclude: [
          'tests/{server,embedded-postgres,e2e}/**',
          'tests/client/sync/**',
          '**/*.browser.test.{ts,tsx}',
          '**/node_modules/**',
        ],
        setupFiles: ['tests/support/device/indexed-db.ts'],
        ...shared,
        ...limits,
      },
    },
    {
      plugins: [articleSummaries()],
      resolve: { alias: { dexie: 'dexie/dist/modern/dexie.mjs' } },
      // Only React's development build has jsxDEV().
      oxc: { jsx: { runtime: 'automatic', development: false } },
      // Vite must find every package before the first test: one found later reloads the page.
      optimizeDeps: {
        entries: ['src/client/**/*.{ts,tsx}', 'src/contract/*.ts'],
        include: ['axe-core', 'react/jsx-runtime'],
        rolldownOptions: { transform: { define: productionReact } },
      },
      test: {
        name: 'component',
        // How many pages run test files in parallel. It is not inherited from the root's options; the default is the
        // number of cores minus one.
        maxWorkers,
        include: ['tests/**/*.browser.test.{ts,tsx}'],
        setupFiles: ['tests/support/component/page.ts'],
        ...shared,
        ...limits,
        browser: {
          enabled: true,
          headless: true,
          screenshotFailures: false,
          viewport: { width: 390, height: 844 },
          provider: playwright({
            // Drawing animations takes a seventh of the CPU. Tests of overlays turn them on.
            contextOptions: { reducedMotion: 'reduce' },
            // A getter, so that other projects do not look for a browser or install one.
            launchOptions: {
              args: [...chromiumTestArgs],
              get executablePath() {
                return findHeadlessShell();
              },
            },
          }),
          instances: [{ browser: 'chromium' }],
        },
      },
    },
    {
      // The build of Dexie that the app contains, as in the component tests.
      resolve: { alias: { dexie: 'dexie/dist/modern/dexie.mjs' } },
      test: {
        name: 'server',
        include: [
          'tests/{server,embedded-postgres}/**/*.test.ts',
          'tests/client/sync/**/*.test.ts',
        ],
        exclude: [
          // On a cluster, the files whose tests need a single PostgreSQL are excluded; otherwise the tests that need a
          // cluster.
          ...(isCluster
            ? ['tests/server/readings/{reading-groups,delete-readings}.test.ts']
            : ['tests/server/cluster/**']),
          '**/node_modules/**',
        ],
        setupFiles: ['tests/support/device/indexed-db.ts'],
        ...shared,
        globalSetup: [
          'tests/support/server/built-server.ts',
          'tests/embedded-postgres/support/shared-folders.ts',
          isCluster ? 'tests/support/database/cluster.ts' : 'tests/support/database/postgres.ts',
        ],
        ...limits,
        // On a cluster, a test database is created on every machine, which takes ten seconds or more. Moving shards can
        // take minutes when other test files run at the same time.
        ...(isCluster && { testTimeout: 300_000, hookTimeout: 300_000 }),
      },
    },
    {
      plugins: [articleSummaries()],
      test: {
        name: 'e2e',
        include: ['tests/e2e/**/*.test.ts'],
        setupFiles: ['tests/e2e/support/phone/failure-report.ts'],
        ...shared,
        globalSetup: [
          'tests/support/database/postgres.ts',
          'tests/e2e/support/server/built-app.ts',
          'tests/e2e/support/phone/demo-phone.ts',
        ],
        ...limits,
        testTimeout: 300_000,
      },
    },
    {
      test: {
        name: 'gallery',
        include: ['tests/gallery/*.shots.ts'],
        globalSetup: [
          'tests/support/database/postgres.ts',
          'tests/e2e/support/server/built-app.ts',
        ],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    },
  ],
};
