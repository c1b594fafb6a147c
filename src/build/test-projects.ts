import os from 'node:os';
import type { ViteUserConfig } from 'vitest/config';

type TestOptions = NonNullable<ViteUserConfig['test']>;

/** What `vitest --project <name>` runs. tests/README.md says what belongs where. */
export const testOptions: TestOptions = {
  // Two at least: browsers and databases spend much of their time waiting, even on two cores.
  maxWorkers: Math.max(2, os.availableParallelism() - 1),
  projects: [
    {
      test: {
        name: 'unit',
        include: ['tests/**/*.test.{ts,tsx}'],
        exclude: [
          'tests/{server,embedded-postgres,e2e}/**',
          'tests/client/sync/**',
          '**/node_modules/**',
        ],
        setupFiles: ['tests/support/indexed-db.ts'],
        testTimeout: 30_000,
        expect: { poll: { timeout: 10_000 } },
      },
    },
    {
      test: {
        name: 'server',
        include: [
          'tests/{server,embedded-postgres}/**/*.test.ts',
          'tests/client/sync/**/*.test.ts',
        ],
        setupFiles: ['tests/support/indexed-db.ts'],
        globalSetup: ['tests/support/built-server.ts', 'tests/support/postgres.ts'],
        testTimeout: 30_000,
        hookTimeout: 120_000,
        expect: { poll: { timeout: 10_000 } },
      },
    },
    {
      test: {
        name: 'e2e',
        include: ['tests/e2e/**/*.test.ts'],
        globalSetup: ['tests/support/postgres.ts', 'tests/e2e/support/built-app.ts'],
        testTimeout: 120_000,
        hookTimeout: 120_000,
        expect: { poll: { timeout: 10_000 } },
      },
    },
    {
      test: {
        name: 'gallery',
        include: ['tests/gallery/*.shots.ts'],
        globalSetup: ['tests/support/postgres.ts', 'tests/e2e/support/built-app.ts'],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    },
    {
      test: {
        name: 'bench',
        include: ['tests/bench/**/*.bench.ts'],
        globalSetup: [
          'tests/support/postgres.ts',
          'tests/e2e/support/built-app.ts',
          'tests/bench/support/peers.ts',
          'tests/bench/support/results.ts',
        ],
        testTimeout: 600_000,
        hookTimeout: 300_000,
        fileParallelism: false,
      },
    },
  ],
};
