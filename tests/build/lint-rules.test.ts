import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');

/** Files that each break the rule next to them. */
const violations: Record<string, [rule: string, text: string]> = {
  'src/domain/upward.ts': [
    'noRestrictedImports',
    "import { op } from '#client/store/outbox/op.ts';\nexport const upward = op;\n",
  ],
  'src/domain/package.ts': [
    'noRestrictedImports',
    "import { object } from 'valibot';\nexport const pure = object;\n",
  ],
  'src/domain/page.ts': ['noRestrictedGlobals', 'export const width = window.innerWidth;\n'],
  'src/domain/barrel.ts': ['noBarrelFile', "export { age } from './plant/age.ts';\n"],
  'src/domain/all.ts': ['noReExportAll', "export * from './plant/age.ts';\n"],
  'src/domain/long.ts': [
    'noExcessiveLinesPerFile',
    Array.from({ length: 301 }, (_, i) => `export const n${i} = ${i};\n`).join(''),
  ],
  'src/domain/cycle-a.ts': [
    'noImportCycles',
    "import { b } from './cycle-b.ts';\nexport const a = () => b;\n",
  ],
  'src/domain/bare.ts': [
    'useImportExtensions',
    "import { age } from './plant/age';\nexport const bare = age;\n",
  ],
  'src/domain/camelCase.ts': ['useFilenamingConvention', 'export const name = 1;\n'],
  'src/contract/call.ts': ['noRestrictedGlobals', "export const call = () => fetch('/');\n"],
  'src/client/store/upward.ts': [
    'noRestrictedImports',
    "import { push } from '#client/sync/push/push.ts';\nexport const upward = push;\n",
  ],
  'src/client/features/query.ts': [
    'noRestrictedImports',
    "import Dexie from 'dexie';\nexport const query = Dexie;\n",
  ],
  'src/client/ui/request.ts': ['noRestrictedGlobals', "export const load = () => fetch('/');\n"],
  'src/server/setting.ts': ['noProcessEnv', 'export const port = process.env.PORT;\n'],
  'src/server/devices.ts': [
    'noRestrictedImports',
    "import { runAccountDevices } from '#simulator/account-devices.ts';\nexport const start = runAccountDevices;\n",
  ],
};

/** Valid files that the ones above import. */
const others = {
  'src/domain/cycle-b.ts': "import { a } from './cycle-a.ts';\nexport const b = () => a;\n",
  'src/domain/plant/age.ts': 'export const age = 1;\n',
  'src/server/demo/run-demo.ts':
    "import { runAccountDevices } from '#simulator/account-devices.ts';\nexport const start = runAccountDevices;\n",
};

let folder: string;
let found: Map<string, Set<string>>;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-lint-'));
  fs.copyFileSync(path.join(root, '.biome.json'), path.join(folder, '.biome.json'));
  const texts = Object.entries(violations).map(([file, [, text]]) => [file, text] as const);
  for (const [file, text] of [...texts, ...Object.entries(others)]) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  }
  found = lint();
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** The rules that each file breaks. */
function lint(): Map<string, Set<string>> {
  const flags = ['--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none'];
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...flags], {
    cwd: folder,
    encoding: 'utf8',
  });
  const rules = new Map<string, Set<string>>();
  for (const [, rule = '', file = ''] of stdout.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+),/g)) {
    const name = path.relative(fs.realpathSync(folder), file);
    rules.set(name, (rules.get(name) ?? new Set()).add(rule));
  }
  return rules;
}

test.each(Object.entries(violations))('the linter rejects %s', (file, [rule]) => {
  expect(found.get(file)).toContain(rule);
});

test('the linter lets the demo use the simulator', () => {
  expect(found.get('src/server/demo/run-demo.ts')).toBeUndefined();
});
