import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import type { ManifestTransform } from 'workbox-build';
import { webManifest } from './app-identity.ts';

/** Builds /sw.js and its precache list: the client's files that match the patterns below, each with its SHA-256. */
export function serviceWorker(): PluginOption[] {
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
      // Installed apps have registered /sw.js; under another name they would never update.
      filename: 'sw.ts',
      injectRegister: null,
      registerType: 'prompt',
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'],
        // Not needed by the app: screenshots for the install dialog, sources of the PNG icons, and the kill switch.
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
