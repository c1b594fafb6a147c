import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type PluginOption, type Rolldown, type UserConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import type { ManifestTransform } from 'workbox-build';
import { bootedDocument } from './src/build/booted-document.ts';
import { landingDocument } from './src/build/landing-document.ts';
import { signInDocument } from './src/build/sign-in-document.ts';
import { webManifest } from './src/build/web-manifest.ts';

const landingScript = 'src/client/boot/landing-page.ts';
const bootScript = 'src/client/boot/boot.ts';

/** `vite build` makes page, worker and service worker; `vite build --ssr src/server/main.ts` makes the server. */
export default defineConfig(({ isSsrBuild }) => ({
  ...(isSsrBuild ? serverBuild() : clientBuild()),
  test: {
    // Browsers and databases keep two files at once from getting in each other's way even on two cores.
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
  },
}));

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
      bootFirst(),
      prerenderedPages(),
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
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { index: 'index.html', 'landing-page': landingScript, boot: bootScript },
        // Radix names its functions by calls that would keep all of it alive, used or not.
        treeshake: { manualPureFunctions: ['__name'] },
        output: { codeSplitting: { groups: [framework], includeDependenciesRecursively: false } },
      },
    },
  };
}

/** Kept apart so that an update of the app leaves it in the cache. The other chunks are the bundler's choice. */
const framework = {
  name: 'framework',
  test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store))\//,
};

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

/** The service worker keeps the whole client but pictures of it, each file with the hash that it must have. */
function pwa(): PluginOption[] {
  let outDir = '';
  const withIntegrity: ManifestTransform = (entries) => ({
    manifest: entries.map((entry) => ({
      ...entry,
      integrity: `sha256-${sha256(path.join(outDir, entry.url))}`,
    })),
    warnings: [],
  });
  return [
    {
      name: 'sprig-out-dir',
      configResolved(config) {
        outDir = path.resolve(config.root, config.build.outDir);
      },
    },
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/service-worker',
      filename: 'sw.ts',
      injectRegister: null,
      registerType: 'prompt',
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'],
        // What browsers ask for before or beside the app, and the drawings that icons are made from.
        globIgnores: ['screenshots/**', 'icons/{icon,shortcut}*.svg', 'sw-off.js'],
        manifestTransforms: [withIntegrity],
        rollupFormat: 'iife',
      },
      manifest: webManifest,
    }),
  ];
}

function sha256(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('base64');
}

/** The app's entry is fetched at once, but run by the boot script, which may have something to show before. */
function bootFirst(): Plugin {
  return {
    name: 'sprig-boot-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const boot = Object.values(bundle).find(({ name }) => name === 'boot');
        if (boot?.type !== 'chunk' || boot.imports.length > 0) {
          throw new Error('The boot script must stand alone');
        }
        return bootedDocument(html, `/${boot.fileName}`, (url) => {
          const sheet = bundle[url.slice(1)];
          if (sheet?.type !== 'asset') throw new Error(`The page has no style sheet ${url}`);
          return String(sheet.source);
        });
      },
    },
  };
}

/** Who comes from a search engine, or signs in for the first time, sees the page before any script of it has arrived. */
function prerenderedPages(): Plugin {
  return {
    name: 'sprig-prerendered-pages',
    async writeBundle({ dir = 'dist/client' }, bundle) {
      const chunkOf = (wanted: string) => {
        const found = Object.values(bundle).find(({ name }) => name === wanted);
        return found?.type === 'chunk' ? found : this.error(`No ${wanted} was built`);
      };
      const cssFor = (screen: string) => {
        const app = stylesOf(chunkOf('index'), bundle);
        const files = new Set([...app, ...stylesOf(chunkOf(screen), bundle)]);
        return [...files].map((file) => fs.readFileSync(path.join(dir, file), 'utf8')).join('');
      };
      const keep = (name: string, text: string) => fs.writeFileSync(path.join(dir, name), text);
      const { renderLanding, renderSignIn } = await publicMarkup();
      const shell = fs.readFileSync(path.join(dir, 'index.html'), 'utf8');
      const scriptUrl = `/${chunkOf('landing-page').fileName}`;
      const landing = { shell, markup: renderLanding(), css: cssFor('landing'), scriptUrl };
      keep('landing.html', landingDocument(landing));
      keep('signin.html', signInDocument({ shell, markup: renderSignIn(), css: cssFor('signin') }));
    },
  };
}

async function publicMarkup(): Promise<typeof import('./src/client/boot/public-markup.tsx')> {
  // Within the project, where the packages that it imports are found.
  const outDir = path.resolve(`node_modules/.cache/prerender-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: 'src/client/boot/public-markup.tsx', outDir, emptyOutDir: true },
  });
  const markup = await import(pathToFileURL(path.join(outDir, 'public-markup.js')).href);
  fs.rmSync(outDir, { recursive: true });
  return markup;
}

/** The style sheets that a chunk needs, its imports' first. */
function stylesOf(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  seen = new Set<string>(),
): string[] {
  seen.add(chunk.fileName);
  const imported = chunk.imports.flatMap((file) => {
    const output = bundle[file];
    return output?.type === 'chunk' && !seen.has(file) ? stylesOf(output, bundle, seen) : [];
  });
  return [...imported, ...(chunk.viteMetadata?.importedCss ?? [])];
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

/** The migrator reads SQL files beside the bundle that it is in. */
function copyMigrations(): Plugin {
  const folder = 'src/server/db/migrations';
  return {
    name: 'sprig-migrations',
    writeBundle({ dir = 'dist/server' }, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : [],
      );
      if (!modules.some((id) => id.endsWith('/src/server/db/migrate.ts'))) return;
      fs.cpSync(folder, path.join(dir, 'migrations'), { recursive: true });
    },
  };
}
