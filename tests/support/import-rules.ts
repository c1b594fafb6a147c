import path from 'node:path/posix';
import { eachFile, findCircles, generated, type HouseRule, layerOf } from './source-graph.ts';

const forAll = ['lib', 'domain'];
const page = [
  'api',
  'contract',
  'data',
  'features',
  'routes',
  'session',
  'start',
  'sw',
  'sync',
  'ui',
];

/** Which folders of src a folder may import beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lib'],
  contract: forAll,
  api: [...forAll, 'contract'],
  data: [...forAll, 'contract'],
  sync: [...forAll, 'contract', 'data', 'api'],
  session: [...forAll, 'contract', 'data', 'api'],
  sw: ['lib', 'sync'],
  ui: ['lib'],
  features: [...forAll, 'ui', 'data', 'session'],
  routes: [...forAll, 'ui', 'data', 'session', 'features'],
  start: [...forAll, ...page],
  'main.tsx': [...forAll, ...page],
  server: [...forAll, 'contract'],
  simulator: [...forAll, 'contract'],
};
const alsoMayImport: Readonly<Record<string, string>> = { 'src/server/demo.ts': 'simulator' };

/** What relative imports stay inside of: the layer, or one feature of it. */
function unitOf(at: string): string {
  const [, layer = '', noun] = at.split('/');
  return layer === 'features' ? `${layer}/${noun}` : layer;
}

export const importsGoDown: HouseRule = (graph) =>
  eachFile(graph, (file) => {
    const allowed = mayImport[layerOf(file.path)];
    if (!allowed) return ['stands in a folder that the house does not know'];
    return file.imports.flatMap(({ target }) => {
      if (target === null || unitOf(target) === unitOf(file.path)) return [];
      const layer = layerOf(target);
      const isAllowed = allowed.includes(layer) || alsoMayImport[file.path] === layer;
      return isAllowed ? [] : [`may not import ${target}`];
    });
  });

export const noCircles: HouseRule = (graph) =>
  findCircles(graph).map((circle) => `circle: ${[...circle, circle[0]].join(' → ')}`);

export const noBarrels: HouseRule = (graph) =>
  eachFile(graph, ({ path: at, imports, onlyPassesOn }) => {
    if (at === generated) return [];
    if (onlyPassesOn) return ['only passes on what others export'];
    return imports
      .filter(({ kind }) => kind === 're-export')
      .map(({ specifier }) => `passes on what ${specifier} exports`);
  });

export const importsAreSpelledAlike: HouseRule = (graph) =>
  eachFile(graph, (file) => {
    if (file.path === generated) return [];
    return file.imports.flatMap(({ kind, specifier, target }) => {
      if (target === null) return [];
      if (!graph.has(target) || path.extname(specifier) === '') {
        return [`imports ${specifier}, which is no file with its extension`];
      }
      const sameFolder = path.dirname(target) === path.dirname(file.path);
      if (specifier.startsWith('#') && sameFolder) {
        return [`imports ${specifier}; a neighbour is ./${path.basename(target)}`];
      }
      const leaves = unitOf(target) !== unitOf(file.path);
      const layered = target.replace(/^src\//, '#');
      // `new URL` is for the bundler, which knows only relative paths there.
      return leaves && kind !== 'url' && !specifier.startsWith('#')
        ? [`imports ${specifier}; another folder is ${layered}`]
        : [];
    });
  });
