import { expect, test } from 'vitest';
import { readSource } from './source-graph.ts';

const importsOf = (text: string) =>
  readSource({ 'src/ui/part.tsx': text })
    .get('src/ui/part.tsx')
    ?.imports.map(({ kind, specifier }) => `${kind} ${specifier}`);

test.each([
  ["import './a.css';", 'import ./a.css'],
  ["import a from './a.ts';", 'import ./a.ts'],
  ["import * as a from './a.ts';", 'import ./a.ts'],
  ["import type { A } from './a.ts';", 'import ./a.ts'],
  ["import a, {\n  type B,\n  from,\n  'c-d' as e,\n} from './a.ts';", 'import ./a.ts'],
  ['import { a } from "./a.ts";', 'import ./a.ts'],
  ["export * from './a.ts';", 're-export ./a.ts'],
  ["export type * as a from './a.ts';", 're-export ./a.ts'],
  ["export { a, b as c } from './a.ts';", 're-export ./a.ts'],
  ["const a = await import('./a.ts');", 'dynamic ./a.ts'],
  ["type A = import('./a.ts').A;", 'dynamic ./a.ts'],
  [`const a = \`\${\`}\` + import('./a.ts')}\`;`, 'dynamic ./a.ts'],
  ["new Worker(new URL('./a.ts', import.meta.url));", 'url ./a.ts'],
])('%s is an import', (text, found) => {
  expect(importsOf(text)).toEqual([found]);
});

test.each([
  "// import './a.ts';",
  "/* export * from './a.ts'; */",
  'const a = "import \'./a.ts\'";',
  `const a = \`import './a.ts'; \${b} import('./a.ts')\`;`,
  "const a = /import '\\.\\/a.ts'/;",
  "const a = { import: './a.ts', from: './b.ts' };",
  "loader.import('./a.ts');",
  "const folder = new URL('../client', import.meta.url);",
  'export { a };',
  'export const a = b as unknown;',
])('%s is none', (text) => {
  expect(importsOf(text)).toEqual([]);
});

test.each([
  "const a = <p>Don't look</p>;",
  'const a = <p>{b}/{c}</p>;',
  'const a = b / c / d;',
  "const a = /['\"`]/.test(b) ? 1 : /[/]'/;",
  "const a = 'it\\'s';",
])('%s does not hide the import after it', (text) => {
  expect(importsOf(`${text}\nconst late = import('./a.ts');`)).toEqual(['dynamic ./a.ts']);
});

test('a file that only imports and exports passes on, one with a line of its own does not', () => {
  const passesOn = (text: string) =>
    readSource({ 'src/a.ts': text }).get('src/a.ts')?.onlyPassesOn ?? null;
  expect(passesOn("import { a } from './b.ts';\nexport { a };\nexport * from './c.ts';")).toBe(
    true,
  );
  expect(passesOn("import { a } from './b.ts';\nexport { a };\na();")).toBe(false);
  expect(passesOn("import './a.css';")).toBe(false);
});

test.each([
  ['export default function a() {}', true],
  ['export { a as default };', true],
  ['export const a = 1;', false],
  ["import { a as default_ } from './a.ts';", false],
])('%s: default export is %s', (text, expected) => {
  expect(readSource({ 'src/a.ts': text }).get('src/a.ts')?.hasDefaultExport).toBe(expected);
});
