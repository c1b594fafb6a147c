import path from 'node:path/posix';
import {
  eachFile,
  generated,
  type HouseRule,
  isCode,
  layerOf,
  type SourceFile,
} from './source-graph.ts';
import { holds } from './source-tokens.ts';

const vague = ['utils', 'helpers', 'misc', 'common', 'types'];
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const routeName = /^(__root|-?[a-z0-9]+(-[a-z0-9]+)*|_?[a-z0-9-]+|\$[a-zA-Z]*)$/;

export const namesSayWhatIsInside: HouseRule = (graph) =>
  eachFile(graph, ({ path: at }) => {
    // The migrations' names are drizzle-kit's, the route tree's is TanStack's.
    if (at === generated || at.startsWith('src/server/db/migrations/')) return [];
    const inRoutes = layerOf(at) === 'routes';
    const folders = path.dirname(at).split('/');
    const [stem = '', ...rest] = path.basename(at).split('.');
    const isName = (part: string) => (inRoutes ? routeName : kebab).test(part);
    const parts = [...folders, stem, ...rest.slice(0, -1)];
    if (!parts.every(isName)) return ['is not named in kebab-case'];
    const bare = [...folders, stem].map((part) => part.replace(/^-/, ''));
    const saysNothing =
      bare.find((part) => vague.includes(part)) ?? (stem === 'index' && !inRoutes);
    return saysNothing ? ['has a name that says nothing'] : [];
  });

export const noDefaultExports: HouseRule = (graph) =>
  eachFile(graph, ({ path: at, hasDefaultExport }) => {
    const isDemanded = /(^|\/)drizzle\.config\.ts$|\.d\.ts$/.test(at);
    return hasDefaultExport && !isDemanded ? ['has a default export'] : [];
  });

export const filesStayShort: HouseRule = (graph) =>
  eachFile(graph, ({ path: at, lines }) => {
    if (at === generated || !(isCode(at) || at.endsWith('.css'))) return [];
    const limit = layerOf(at) === 'routes' && isCode(at) ? 60 : 300;
    return lines > limit ? [`has ${lines} lines; ${limit} is the limit`] : [];
  });

interface Confined {
  what: string;
  isIn: (file: SourceFile) => boolean;
  /** Layers or files: the only ones that may, or those that never may. */
  only?: readonly string[];
  never?: readonly string[];
}

const usesPackage = (name: RegExp) => (file: SourceFile) =>
  file.imports.some(({ target, specifier }) => target === null && name.test(specifier));

const confined: readonly Confined[] = [
  {
    what: 'React',
    isIn: (file) => file.path.endsWith('.tsx') || usesPackage(/(^|[/-])react($|[/-])/)(file),
    only: ['ui', 'features', 'routes', 'session', 'start', 'main.tsx'],
  },
  { what: 'Dexie', isIn: usesPackage(/^dexie($|\/)/), only: ['data', 'sync'] },
  { what: 'dexie-react-hooks', isIn: usesPackage(/^dexie-react-hooks$/), only: ['features'] },
  {
    what: 'fetch',
    isIn: ({ tokens }) => callsFetch(tokens.map(({ text }) => text)),
    only: ['api', 'simulator', 'src/sync/browser.ts', 'src/server/demo.ts'],
  },
  {
    what: 'the environment',
    isIn: (file) =>
      holds(file.tokens, 'process', '.', 'env') || usesPackage(/^(node:)?process$/)(file),
    only: ['src/server/main.ts', 'src/server/dev-api.ts', 'src/server/transfer/main.ts'],
  },
  {
    what: 'the clock',
    isIn: ({ tokens }) =>
      holds(tokens, 'Date', '.', 'now') || holds(tokens, 'new', 'Date', '(', ')'),
    never: ['domain', 'contract'],
  },
];

const ofNotifications = ['requestPermission', 'showNotification', 'pushManager'];

export const nobodyIsNotified: HouseRule = (graph) =>
  eachFile(graph, ({ tokens }) =>
    ofNotifications
      .filter((word) => tokens.some(({ text }) => text === word))
      .map((word) => `has ${word}; the app never notifies`),
  );

export const thingsStayInTheirPlaces: HouseRule = (graph) =>
  eachFile(graph, (file) =>
    confined
      .filter(({ isIn }) => isIn(file))
      .filter(({ only, never }) => (only ? !isAmong(file, only) : never && isAmong(file, never)))
      .map(({ what }) => `has no business with ${what}`),
  );

function isAmong({ path: at }: SourceFile, places: readonly string[]): boolean {
  return places.includes(layerOf(at)) || places.includes(at);
}

/** The platform's own fetch, not a method or function of that name. */
function callsFetch(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (word !== 'fetch' || words[i + 1] !== '(' || words[i - 1] === 'function') return false;
    const owner = words[i - 1] === '.' ? words[i - 2] : 'globalThis';
    return ['globalThis', 'window', 'self'].includes(owner ?? '');
  });
}
