import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import { articleSummaries } from './src/build/article-summaries.ts';
import { compileHints, startChunks } from './src/build/chunks.ts';
import { pageEntries, pages } from './src/build/pages.ts';
import { copyFilesOfModules, devApi } from './src/build/server-plugins.ts';
import { serviceWorker } from './src/build/service-worker.ts';
import { testOptions } from './src/build/test-projects.ts';

/** The build of the page, the sync worker and the service worker, or of a Node program (`build.ssr`). */
export default defineConfig(({ isSsrBuild }) => ({
  ...(isSsrBuild ? serverBuild : clientBuild()),
  test: testOptions,
}));

/** Kept apart so that an update of the app leaves it in the cache. */
const framework = {
  name: 'framework',
  test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store))\//,
};

function clientBuild(): UserConfig {
  return {
    plugins: [
      tanstackRouter({
        routesDirectory: 'src/client/routes',
        generatedRouteTree: 'src/client/routes/routeTree.gen.ts',
        autoCodeSplitting: true,
        quoteStyle: 'single',
        routeFileIgnorePattern: 'routeTree.gen.ts',
      }),
      react(),
      articleSummaries(),
      pages(),
      compileHints(),
      serviceWorker(),
      devApi(),
    ],
    resolve: {
      alias: {
        // Dexie's export map leads to its UMD build, which is larger and cannot be tree-shaken.
        dexie: 'dexie/dist/modern/dexie.mjs',
        // React 18 and newer need no shim.
        'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      },
    },
    worker: { format: 'es' },
    build: {
      outDir: 'dist/client',
      emptyOutDir: true,
      target: 'es2022',
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: pageEntries,
        // On a slow machine every build would print how long the plugins took.
        checks: { pluginTimings: false },
        // Radix names its functions through __name(); unless that is called pure, unused parts stay in the bundle.
        treeshake: { manualPureFunctions: ['__name'] },
        output: {
          codeSplitting: {
            groups: [framework, startChunks()],
            includeDependenciesRecursively: false,
          },
        },
      },
    },
  };
}

const serverBuild: UserConfig = {
  plugins: [copyFilesOfModules()],
  publicDir: false,
  build: { outDir: 'dist/server', emptyOutDir: true, target: 'node20' },
  // A single file starts in half the time of a tree of packages. Packages with native binaries stay outside.
  ssr: { noExternal: true, external: ['@node-rs/argon2', 'pg-native'] },
};
