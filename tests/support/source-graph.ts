import path from 'node:path/posix';
import { type Token, tokensOf } from './source-tokens.ts';

/** Paths from the project's root, e.g. `src/domain/plant.ts`, and their texts ('' for what is no code). */
export type SourceTexts = Readonly<Record<string, string>>;

export interface Import {
  kind: 'import' | 're-export' | 'dynamic' | 'url';
  specifier: string;
  /** The path meant, or null for a package. */
  target: string | null;
}

export interface SourceFile {
  path: string;
  lines: number;
  tokens: Token[];
  imports: Import[];
  hasDefaultExport: boolean;
  /** Whether it passes on what other files export and has nothing of its own. */
  onlyPassesOn: boolean;
}

export type SourceGraph = ReadonlyMap<string, SourceFile>;

export function readSource(texts: SourceTexts): SourceGraph {
  return new Map(Object.entries(texts).map(([at, text]) => [at, readFile(at, text, texts)]));
}

function readFile(at: string, text: string, texts: SourceTexts): SourceFile {
  const tokens = isCode(at) ? tokensOf(text) : [];
  const { imports, ...shape } = readModule(tokens);
  return {
    path: at,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    tokens,
    imports: imports.map((found) => ({ ...found, target: resolve(at, found.specifier, texts) })),
    ...shape,
  };
}

export function isCode(at: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(at);
}

/** Generated files leave the extension out. */
function resolve(from: string, specifier: string, texts: SourceTexts): string | null {
  const bare = specifier.replace(/\?.*$/, '');
  if (bare.startsWith('#')) return path.join('src', bare.slice(1));
  if (!bare.startsWith('.')) return null;
  const target = path.join(path.dirname(from), bare);
  const spellings = ['', '.tsx', '.ts'].map((extension) => target + extension);
  return spellings.find((spelling) => spelling in texts) ?? target;
}

function readModule(tokens: readonly Token[]) {
  const imports: Omit<Import, 'target'>[] = [];
  let hasDefaultExport = false;
  let ownTokens = 0;
  let exportLists = 0;
  for (let i = 0; i < tokens.length; i += 1) {
    const text = (offset: number) => tokens[i + offset]?.text;
    const word = tokens[i]?.kind === 'word' && text(-1) !== '.' ? text(0) : undefined;
    const clause = word === 'import' || word === 'export' ? readClause(tokens, i + 1) : null;
    if (clause) {
      if (word === 'export') exportLists += 1;
      if (word === 'export' && clause.namesDefault) hasDefaultExport = true;
      const kind = word === 'export' ? 're-export' : 'import';
      if (clause.from !== null) imports.push({ kind, specifier: clause.from });
      i = clause.end;
      continue;
    }
    ownTokens += 1;
    if (word === 'export' && text(1) === 'default') hasDefaultExport = true;
    const dynamic = word === 'import' && text(1) === '(' ? tokens[i + 2] : undefined;
    if (dynamic?.kind === 'string') imports.push({ kind: 'dynamic', specifier: dynamic.text });
    const url = word === 'new' && text(1) === 'URL' && text(2) === '(' ? tokens[i + 3] : undefined;
    const isModule = text(5) === 'import' && /\.(ts|tsx|mjs|js)$/.test(url?.text ?? '');
    if (url?.kind === 'string' && isModule) imports.push({ kind: 'url', specifier: url.text });
  }
  return { imports, hasDefaultExport, onlyPassesOn: ownTokens === 0 && exportLists > 0 };
}

interface Clause {
  from: string | null;
  namesDefault: boolean;
  /** Index of its last token. */
  end: number;
}

/** What follows `import` or `export`, if it is a list of names; null for declarations, calls and `import.meta`. */
function readClause(tokens: readonly Token[], start: number): Clause | null {
  const isSemicolon = (i: number) => tokens[i]?.text === ';' && tokens[i]?.kind === 'mark';
  const closed = (end: number) => (isSemicolon(end + 1) ? end + 1 : end);
  const [first] = tokens.slice(start, start + 1);
  if (first?.kind === 'string') {
    return { from: first.text, namesDefault: false, end: closed(start) };
  }
  let namesDefault = false;
  let listEnd: number | null = null;
  for (let i = start; i < tokens.length; i += 1) {
    const token = tokens[i];
    const next = tokens[i + 1];
    if (token?.kind === 'word' && token.text === 'from' && next?.kind === 'string') {
      return { from: next.text, namesDefault, end: closed(i + 1) };
    }
    if (token?.kind === 'mark' && !'{},*'.includes(token.text)) break;
    if (token?.text === 'as' && next?.text === 'default') namesDefault = true;
    if (token?.text === '}') {
      listEnd = i;
      if (next?.text !== 'from') break;
    }
  }
  const isList = first?.text === '{' || (first?.text === 'type' && tokens[start + 1]?.text === '{');
  return isList && listEnd !== null ? { from: null, namesDefault, end: closed(listEnd) } : null;
}

/** Circles of imports, at least one of each knot, as the paths along it from the alphabetically first file. */
export function findCircles(graph: SourceGraph): string[][] {
  const circles = new Map<string, string[]>();
  const done = new Set<string>();
  const way: string[] = [];
  function visit(at: string): void {
    const known = way.indexOf(at);
    if (known >= 0) {
      const circle = fromFirst(way.slice(known));
      circles.set(circle.join(), circle);
    }
    if (known >= 0 || done.has(at)) return;
    way.push(at);
    for (const { target } of graph.get(at)?.imports ?? []) if (target) visit(target);
    way.pop();
    done.add(at);
  }
  for (const at of [...graph.keys()].sort()) visit(at);
  return [...circles.values()];
}

function fromFirst(circle: string[]): string[] {
  const first = circle.indexOf([...circle].sort()[0] ?? '');
  return [...circle.slice(first), ...circle.slice(0, first)];
}

/** Lists what breaks the rule, one line each. */
export type HouseRule = (graph: SourceGraph) => string[];

/** One line for each complaint about each file. */
export function eachFile(graph: SourceGraph, complaints: (file: SourceFile) => string[]): string[] {
  return [...graph.values()].flatMap((file) =>
    complaints(file).map((complaint) => `${file.path}: ${complaint}`),
  );
}

/** The folder of src, or the file that stands in src itself. */
export function layerOf(at: string): string {
  return at.split('/')[1] ?? '';
}

/** Written by TanStack Router; no rule of form holds for it. */
export const generated = 'src/routes/routeTree.gen.ts';
