import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

type Graph = Rolldown.ChunkingContext;

const folder = path.resolve('src/client');
const main = `${folder}/boot/main.tsx`;
const landing = `${folder}/boot/landing-page.ts`;
/** Loaded once somebody is signed in. */
const afterSignIn = [`${folder}/store/database.ts`, `${folder}/session/zone.ts`];
const firstScreens = [
  `${folder}/routes/dashboard/route.tsx`,
  `${folder}/routes/dashboard/index.tsx`,
];

/**
 * Packs what a start of the dashboard loads into two files: `main`, which screens outside of the dashboard need too,
 * and `dashboard`. The bundler would make about 35 chunks of that, and on a slow phone each request costs several
 * milliseconds, even from the service worker. Form modules that a start does not load and that screens outside of the
 * dashboard import go into a third file, `forms`. Modules of the landing page's own script are left to the bundler.
 */
export function startChunks(): Rolldown.CodeSplittingGroup {
  let chunks: ((id: string) => string | null) | undefined;
  return {
    debugName: 'start',
    name: (id, graph) => {
      chunks ??= chunksOfStart(graph);
      return chunks(id);
    },
  };
}

function chunksOfStart(graph: Graph): (id: string) => string | null {
  const app = importsOf([main], graph);
  const screens = [...app].flatMap((id) => componentsOf(id, graph));
  const isFirst = (id: string) => firstScreens.includes(withoutQuery(id));
  const isOutside = (id: string) => !id.startsWith(`${folder}/routes/dashboard/`);
  const start = importsOf([main, ...afterSignIn, ...screens.filter(isFirst)], graph);
  const outside = importsOf(screens.filter(isOutside), graph);
  const landingModules = importsOf([landing], graph);
  // Small form modules of the account screens, in one chunk to save requests. The dashboard's settings use some too.
  const isForm = (id: string) => outside.has(id) && id.includes('/form/');
  return (id) => {
    if (!start.has(id) && isForm(id)) return 'forms';
    if (!start.has(id) || landingModules.has(id)) return null;
    return app.has(id) || outside.has(id) ? 'main' : 'dashboard';
  };
}

/** The modules of a route that the router loads when it is opened. */
function componentsOf(route: string, graph: Graph): readonly string[] {
  const loaded = graph.getModuleInfo(route)?.dynamicallyImportedIds ?? [];
  return loaded.filter((id) => id.includes('?tsr-split='));
}

/** Modules and all that they import statically. */
function importsOf(ids: readonly string[], graph: Graph, seen = new Set<string>()): Set<string> {
  for (const id of ids) {
    if (seen.has(id)) continue;
    seen.add(id);
    importsOf(graph.getModuleInfo(id)?.importedIds ?? [], graph, seen);
  }
  return seen;
}

function withoutQuery(id: string): string {
  return id.replace(/\?.*$/, '');
}

/** The chunks whose functions are compiled while they load, because a start calls most of them. */
const startNames = ['framework', 'main', 'dashboard'];

/**
 * Marks the chunks of a start with a comment. It makes Chromium compile all their functions on another thread while it
 * loads them. Without it, the main thread compiles each function at its first call.
 */
export function compileHints(): Plugin {
  return {
    name: 'sprig-compile-hints',
    generateBundle: {
      // Vite puts its table of preloaded files at the beginning of a chunk; the comment must come before that.
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !startNames.includes(chunk.name)) continue;
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}
