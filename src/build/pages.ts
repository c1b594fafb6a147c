import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { articleSummaries } from './article-summaries.ts';
import { landingDocument } from './landing-document.ts';

/** Who comes from a search engine, or signs in for the first time, sees the page before any script of it has arrived. */
export function prerenderedPages(): Plugin {
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
      const { renderLanding } = await publicMarkup();
      const shell = fs.readFileSync(path.join(dir, 'index.html'), 'utf8');
      const scriptUrl = `/${chunkOf('landing-page').fileName}`;
      const landing = { shell, markup: renderLanding(), css: cssFor('landing'), scriptUrl };
      keep('landing.html', landingDocument(landing));
      keep('signin.html', shell);
    },
  };
}

async function publicMarkup(): Promise<typeof import('../client/boot/public-markup.tsx')> {
  // Within the project, where the packages that it imports are found.
  const outDir = path.resolve(`node_modules/.cache/prerender-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [articleSummaries()],
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
