import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite';
import { headTags } from './app-identity.ts';
import { articleSummaries } from './article-summaries.ts';

type Bundle = Rolldown.OutputBundle;
type Markup = typeof import('../client/boot/prerender.tsx');

/**
 * The folder of landing.html and signin.html. The built pages are moved to the root, where server and service worker
 * expect them.
 */
const sourceFolder = 'src/client/boot/';

/** The HTML entries. */
export const pageEntries = {
  index: 'index.html',
  landing: `${sourceFolder}landing.html`,
  signin: `${sourceFolder}signin.html`,
};
/** The build replaces this text of an HTML entry with the prerendered markup. */
const placeholder = '<!--markup-->';

/**
 * index.html starts the app and preloads the dashboard's code, because most starts lead there. signin.html and
 * landing.html are prerendered, so that a first-time visitor sees them before any script has been loaded.
 */
export function pages(): Plugin[] {
  let markup: Promise<Markup>;
  return [
    {
      name: 'sprig-head-tags',
      transformIndexHtml: { order: 'pre', handler: () => headTags },
    },
    {
      name: 'sprig-pages',
      apply: 'build',
      buildStart() {
        markup = renderMarkup();
      },
      transformIndexHtml: {
        order: 'post',
        async handler(html, { path: pagePath, bundle = {}, chunk: entry }) {
          const known = new Set(entry ? withImports(entry, bundle) : []);
          const preloads = (chunk: Rolldown.OutputChunk) => preloadTags(chunk, bundle, known);
          const screen = (file: string) => chunkOf(bundle, `/src/client/routes/${file}`);
          if (pagePath === '/index.html') {
            const dashboard = [screen('dashboard/route.tsx'), screen('dashboard/index.tsx')];
            return [chunkOf(bundle, '/src/client/store/database.ts'), ...dashboard].flatMap(
              preloads,
            );
          }
          const { renderLanding, renderSignIn } = await markup;
          if (pagePath.endsWith('/signin.html')) {
            const tags = preloads(screen('(account)/signin.tsx'));
            return { html: filled(html, await renderSignIn()), tags };
          }
          // landing.html loads neither code nor style sheets of the app, so the CSS that its markup needs is inlined.
          const sheets = new Set(
            [chunkOf(bundle, '/src/client/boot/main.tsx'), screen('landing.tsx')].flatMap((chunk) =>
              styleSheets(chunk, bundle),
            ),
          );
          const css = [...sheets].map((file) => sourceOf(bundle, file)).join('');
          const style: HtmlTagDescriptor = { tag: 'style', children: css, injectTo: 'head' };
          return { html: filled(html, await renderLanding()), tags: [style] };
        },
      },
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          for (const { fileName } of Object.values(bundle)) {
            if (!fileName.startsWith(sourceFolder)) continue;
            const source = sourceOf(bundle, fileName);
            this.emitFile({ type: 'asset', fileName: path.basename(fileName), source });
            delete bundle[fileName];
          }
        },
      },
    },
  ];
}

function filled(html: string, markup: string): string {
  if (!html.includes(placeholder)) throw new Error(`The page does not contain ${placeholder}`);
  return html.replace(placeholder, () => markup);
}

/**
 * The chunk that contains a module. A route is split into two modules, of which the one with the component counts.
 */
function chunkOf(bundle: Bundle, module: string): Rolldown.OutputChunk {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const chunkWith = (isIt: (id: string) => boolean) =>
    chunks.find(({ moduleIds }) => moduleIds.some(isIt));
  const found =
    chunkWith((id) => id.includes(`${module}?tsr-split`)) ?? chunkWith((id) => id.endsWith(module));
  if (!found) throw new Error(`No chunk contains ${module}`);
  return found;
}

/**
 * The tags that preload a chunk and its imports and load their style sheets, except chunks that are in `known`. Adds
 * the new chunks to `known`.
 */
function preloadTags(
  chunk: Rolldown.OutputChunk,
  bundle: Bundle,
  known: Set<Rolldown.OutputChunk>,
): HtmlTagDescriptor[] {
  const link = (rel: string, file: string): HtmlTagDescriptor => ({
    tag: 'link',
    attrs: { rel, crossorigin: true, href: `/${file}` },
    injectTo: 'head',
  });
  const chunks = withImports(chunk, bundle, known);
  return [
    ...chunks.map(({ fileName }) => link('modulepreload', fileName)),
    ...chunks.flatMap(importedCss).map((file) => link('stylesheet', file)),
  ];
}

function styleSheets(chunk: Rolldown.OutputChunk, bundle: Bundle): string[] {
  return withImports(chunk, bundle).flatMap(importedCss);
}

function importedCss({ viteMetadata }: Rolldown.OutputChunk): string[] {
  return [...(viteMetadata?.importedCss ?? [])];
}

/** A chunk and all that it imports, imports first. */
function withImports(
  chunk: Rolldown.OutputChunk,
  bundle: Bundle,
  seen = new Set<Rolldown.OutputChunk>(),
): Rolldown.OutputChunk[] {
  if (seen.has(chunk)) return [];
  seen.add(chunk);
  const imports = chunk.imports.map((file) => bundle[file]);
  return [
    ...imports.flatMap((output) =>
      output?.type === 'chunk' ? withImports(output, bundle, seen) : [],
    ),
    chunk,
  ];
}

function sourceOf(bundle: Bundle, file: string): string {
  const output = bundle[file];
  if (output?.type !== 'asset') throw new Error(`The bundle has no ${file}`);
  return String(output.source);
}

/** Builds and imports prerender.tsx, whose functions render the markup of pages with the components of the app. */
async function renderMarkup(): Promise<Markup> {
  // Inside the project folder, so that imported packages are found.
  const outDir = path.resolve(`node_modules/.cache/prerender-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [articleSummaries()],
    build: { ssr: `${sourceFolder}prerender.tsx`, outDir, emptyOutDir: true },
  });
  const markup = await import(pathToFileURL(path.join(outDir, 'prerender.js')).href);
  fs.rmSync(outDir, { recursive: true });
  return markup;
}
