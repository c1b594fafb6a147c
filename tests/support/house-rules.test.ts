import { expect, test } from 'vitest';
import { houseRules } from './house-rules.ts';
import { readSource, type SourceTexts } from './source-graph.ts';

/** A small house in order; each test plants one fault in it. */
const orderly: SourceTexts = {
  'src/main.tsx': "import '#ui/base.css';\nimport { App } from '#start/app.tsx';\nApp();\n",
  'src/start/app.tsx': "import { Route } from '#routes/index.tsx';\nexport const App = Route;\n",
  'src/routes/index.tsx':
    "import { List } from '#features/plants/list.tsx';\nexport { List };\nlet a;\n",
  'src/features/plants/list.tsx':
    "import { useState } from 'react';\nexport const List = useState;\n",
  'src/features/watering/tap.ts': 'export const tap = 1;\n',
  'src/ui/base.css': '',
  'src/domain/plant.ts': "import { age } from './age.ts';\nexport const plant = age;\n",
  'src/domain/age.ts': 'export const age = (now: number) => new Date(now);\n',
  'src/data/db.ts': "import { Dexie } from 'dexie';\nexport const db = Dexie;\n",
  'src/sync/worker.ts': "import { db } from '#data/db.ts';\ndb();\n",
  'src/server/app.ts': 'export const app = 1;\n',
  'src/server/db/schema.ts': "import { app } from '../app.ts';\nexport const schema = app;\n",
  'src/simulator/feeder.ts': 'export const feed = () => fetch(1);\n',
};

test('a house in order is left alone', () => {
  expect(complaintsAbout({})).toEqual([]);
});

test.each<[fault: string, planted: SourceTexts, complaint: string]>([
  [
    'an upward import, even of a type',
    { 'src/domain/age.ts': "import type { Db } from '#data/db.ts';\nexport type A = Db;\n" },
    'src/domain/age.ts: may not import src/data/db.ts',
  ],
  [
    'a page that imports sync',
    { 'src/routes/index.tsx': "const late = import('#sync/worker.ts');\nlate.then();\n" },
    'src/routes/index.tsx: may not import src/sync/worker.ts',
  ],
  [
    'a service worker that loads a part of ours by address',
    { 'src/sw/sw.ts': "new Worker(new URL('../data/db.ts', import.meta.url));\n" },
    'src/sw/sw.ts: may not import src/data/db.ts',
  ],
  [
    'one feature in another',
    { 'src/features/watering/tap.ts': "import '#features/plants/list.tsx';\n" },
    'src/features/watering/tap.ts: may not import src/features/plants/list.tsx',
  ],
  [
    'the simulator in the server, beside the demo',
    {
      'src/server/app.ts':
        "import { feed } from '#simulator/feeder.ts';\nexport const app = feed;\n",
      'src/server/demo.ts': "import { feed } from '#simulator/feeder.ts';\nfeed();\n",
    },
    'src/server/app.ts: may not import src/simulator/feeder.ts',
  ],
  [
    'a folder that nobody planned',
    { 'src/shared/plant.ts': 'export const plant = 1;\n' },
    'src/shared/plant.ts: stands in a folder that the house does not know',
  ],
  [
    'a circle of types',
    {
      'src/domain/age.ts':
        "import type { plant } from './plant.ts';\nexport type A = typeof plant;\n",
    },
    'circle: src/domain/age.ts → src/domain/plant.ts → src/domain/age.ts',
  ],
  [
    'a re-export',
    {
      'src/domain/age.ts': "export * from './leaf.ts';\nexport const age = 1;\n",
      'src/domain/leaf.ts': '',
    },
    'src/domain/age.ts: passes on what ./leaf.ts exports',
  ],
  [
    'a barrel',
    { 'src/domain/all.ts': "import { age } from './age.ts';\n\nexport { age };\n" },
    'src/domain/all.ts: only passes on what others export',
  ],
  [
    'a vague name',
    { 'src/domain/utils.ts': 'export const x = 1;\n' },
    'src/domain/utils.ts: has a name that says nothing',
  ],
  [
    'a name in another case',
    { 'src/features/plants/plantCard.tsx': 'export const x = 1;\n' },
    'src/features/plants/plantCard.tsx: is not named in kebab-case',
  ],
  [
    'a default export',
    { 'src/domain/age.ts': 'const age = 1;\nexport { age as default };\n' },
    'src/domain/age.ts: has a default export',
  ],
  [
    'a long file',
    { 'src/domain/age.ts': 'export const age = 1;\n'.repeat(301) },
    'src/domain/age.ts: has 301 lines; 300 is the limit',
  ],
  [
    'a long route',
    { 'src/routes/signin.tsx': 'export const age = 1;\n'.repeat(61) },
    'src/routes/signin.tsx: has 61 lines; 60 is the limit',
  ],
  [
    'a neighbour called by its layer',
    { 'src/domain/plant.ts': "import { age } from '#domain/age.ts';\nexport const plant = age;\n" },
    'src/domain/plant.ts: imports #domain/age.ts; a neighbour is ./age.ts',
  ],
  [
    'another folder reached by climbing',
    { 'src/sync/worker.ts': "import { db } from '../data/db.ts';\ndb();\n" },
    'src/sync/worker.ts: imports ../data/db.ts; another folder is #data/db.ts',
  ],
  [
    'an import without its extension',
    { 'src/domain/plant.ts': "import { age } from './age';\nexport const plant = age;\n" },
    'src/domain/plant.ts: imports ./age, which is no file with its extension',
  ],
  [
    'React in data',
    { 'src/data/db.ts': "import { useRef } from 'react';\nexport const db = useRef;\n" },
    'src/data/db.ts: has no business with React',
  ],
  [
    'Dexie in a feature, where its hooks may be',
    {
      'src/features/watering/tap.ts':
        "import { useObservable } from 'dexie-react-hooks';\nimport { liveQuery } from 'dexie';\nuseObservable(liveQuery);\n",
    },
    'src/features/watering/tap.ts: has no business with Dexie',
  ],
  [
    'a fetch in session, where a word of it is no call',
    { 'src/session/session.ts': "// fetch(1)\nconst text = 'fetch(';\nawait fetch(text);\n" },
    'src/session/session.ts: has no business with fetch',
  ],
  [
    'the environment below the entry points',
    { 'src/server/app.ts': `export const app = \`at \${process.env.PORT}\`;\n` },
    'src/server/app.ts: has no business with the environment',
  ],
  [
    'the clock in the domain, where a given moment may be a date',
    { 'src/domain/plant.ts': 'export const plant = new Date(1) < new Date();\n' },
    'src/domain/plant.ts: has no business with the clock',
  ],
  [
    'a plea for notifications, where a word of it is none',
    {
      'src/features/watering/tap.ts':
        '// showNotification\nexport const tap = () => Notification.requestPermission();\n',
    },
    'src/features/watering/tap.ts: has requestPermission; the app never notifies',
  ],
])('%s is reported, and nothing else', (_, planted, complaint) => {
  expect(complaintsAbout(planted)).toEqual([complaint]);
});

function complaintsAbout(planted: SourceTexts): string[] {
  const graph = readSource({ ...orderly, ...planted });
  return houseRules.flatMap(([, rule]) => rule(graph));
}
