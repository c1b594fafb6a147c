import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { projectRoot } from '../../../../src/build/build-if-needed.mjs';

/**
 * The code of a file and of everything it imports, as one classic script, and its styles. Packages in `without` are
 * left out.
 */
export interface Bundle {
  script: string;
  css: string;
  gzipBytes: number;
}

/** Bundles a file of tests/bench as the app itself is built: for the same browsers, minified, for production. */
export async function bundle(entry: string, without: string[] = []): Promise<Bundle> {
  const output = await build({
    root: projectRoot,
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    // The same alias as in vite.config.ts.
    resolve: entry.startsWith('peers/') ? {} : { alias: { dexie: 'dexie/dist/modern/dexie.mjs' } },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: {
        entry: path.join(projectRoot, 'tests/bench', entry),
        formats: ['iife'],
        name: 'bench',
      },
      rolldownOptions: {
        external: without,
        output: { banner: "performance.mark('script');", globals: (id) => id },
      },
    },
  });
  const [made] = [output].flat();
  if (!made || !('output' in made)) throw new Error(`${entry} was not bundled`);
  const [{ code }] = made.output;
  const css = made.output.flatMap((part) =>
    part.type === 'asset' && part.fileName.endsWith('.css') ? [String(part.source)] : [],
  );
  const gzipBytes = [code, ...css].reduce((sum, text) => sum + gzipSync(text).length, 0);
  return { script: code, css: css.join(''), gzipBytes };
}

export function inKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
