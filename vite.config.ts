import fs from 'node:fs';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, UserConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';

/** `vite build` makes page, worker and service worker; `vite build --ssr src/server/main.ts` makes the server. */
export default defineConfig(({ isSsrBuild }) => ({
  ...(isSsrBuild ? serverBuild() : clientBuild()),
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/{server,sync,e2e}/**'],
          setupFiles: ['tests/support/indexed-db.ts'],
        },
      },
      {
        test: {
          name: 'server',
          include: ['tests/{server,sync}/**/*.test.ts'],
          setupFiles: ['tests/support/indexed-db.ts'],
          globalSetup: ['tests/support/built-server.ts', 'tests/support/postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/postgres.ts', 'tests/e2e/support/built-app.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
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
            'tests/support/built-server.ts',
            'tests/support/postgres.ts',
            'tests/bench/support/results.ts',
          ],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
}));

function clientBuild(): UserConfig {
  return {
    plugins: [
      tanstackRouter({
        routesDirectory: 'src/routes',
        generatedRouteTree: 'src/routes/routeTree.gen.ts',
        autoCodeSplitting: true,
        quoteStyle: 'single',
        routeFileIgnorePattern: 'routeTree.gen.ts',
      }),
      react(),
      pwa(),
      devApi(),
    ],
    // Dexie's export map leads to its UMD build, which is larger and cannot be tree-shaken.
    resolve: {
      alias: {
        dexie: 'dexie/dist/modern/dexie.mjs',
        // The shim is for a React of before 18.
        'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      },
    },
    worker: { format: 'es' },
    build: {
      outDir: 'dist/client',
      emptyOutDir: true,
      target: 'es2022',
      reportCompressedSize: false,
      rolldownOptions: {
        // Radix names its functions by calls that would keep all of it alive, used or not.
        treeshake: { manualPureFunctions: ['__name'] },
        // What is always needed together packs better in one piece; an update of the app leaves the framework in the cache.
        output: { codeSplitting: { groups: chunks, includeDependenciesRecursively: false } },
      },
    },
  };
}

const chunks = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store))\//,
  },
  {
    name: 'api',
    test: /node_modules\/valibot\/|src\/api\/(ask|auth|send|error-message)|src\/contract\/(auth|request|headers)/,
  },
  {
    name: 'icons',
    test: /lucide-react\/dist\/esm\/([^/]+|icons\/circle-exclamation-point)\.m?js|lucide-react\/dist\/esm\/shared/,
  },
  {
    name: 'forms',
    test: /src\/ui\/(field|banner|use-form)|src\/features\/account\/(account-(screen|form)|.*-field|failure-banner)|icons\/(circle-check|eye|eye-off)\./,
  },
];

function serverBuild(): UserConfig {
  return {
    plugins: [copyMigrations()],
    publicDir: false,
    build: {
      outDir: 'dist/server',
      emptyOutDir: true,
      target: 'node20',
    },
    // One file starts in half the time of a tree of packages; what carries binaries stays outside.
    ssr: { noExternal: true, external: ['@node-rs/argon2', 'pg-native'] },
  };
}

function pwa() {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/sw',
    filename: 'sw.ts',
    injectRegister: null,
    registerType: 'prompt',
    injectManifest: {
      globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'],
      globIgnores: ['screenshots/**'],
      rollupFormat: 'iife',
    },
    manifest: {
      id: '/',
      name: 'Sprig: plant care',
      short_name: 'Sprig',
      description: 'Your plants, their readings and their water, with or without a network.',
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
      theme_color: '#f7f5ee',
      background_color: '#f7f5ee',
      icons: [
        { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
        {
          src: '/icons/icon-maskable-512.png',
          sizes: '512x512',
          type: 'image/png',
          purpose: 'maskable',
        },
      ],
    },
  });
}

/** One process in development: the API answers beside the modules it serves. */
function devApi(): Plugin {
  return {
    name: 'sprig-dev-api',
    apply: 'serve',
    async configureServer(server) {
      if (process.env.VITEST) return;
      const { openDevApi } = await server.ssrLoadModule('/src/server/dev-api.ts');
      const api: Awaited<ReturnType<typeof import('./src/server/dev-api.ts').openDevApi>> =
        await openDevApi(() => server.resolvedUrls?.local[0]);
      server.httpServer?.once('close', () => void api.close());
      server.middlewares.use((request, response, next) => {
        if (/^\/(api|auth|healthz)\b/.test(request.url ?? '')) api.handle(request, response);
        else next();
      });
    },
  };
}

/** The migrator reads SQL files beside the bundle. */
function copyMigrations(): Plugin {
  return {
    name: 'sprig-migrations',
    closeBundle() {
      fs.cpSync('src/server/db/migrations', 'dist/server/migrations', { recursive: true });
    },
  };
}
