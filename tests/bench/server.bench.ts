import { projectRoot } from '../../src/build/build-if-needed.mjs';
import { bearer } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import { rowOf } from './support/results/figures-text.ts';
import type { Part, Row } from './support/results/results.ts';
import { compare } from './support/results/rounds.ts';
import { connections, load, type Shot } from './support/server/load.ts';
import { measureMemory } from './support/server/memory.ts';
import { type ProbedProcess, startProbed } from './support/server/probed-process.ts';
import { openScene, type Scene } from './support/server/scene.ts';
import {
  dayReading,
  getDelta,
  getList,
  getLogs,
  headList,
  logIn,
  postLog,
  water,
} from './support/server/shots.ts';

const rounds = 5;
const rows: Row[] = [];

let small: Scene;
let large: Scene;
let bare: ProbedProcess;

async function open(): Promise<void> {
  small = await openScene(200);
  large = await openScene(20_000);
  bare = await startProbed(`${projectRoot}/tests/bench/support/server/bare.mjs`, {
    DATABASE_URL: large.garden.url,
  });
}

function section(): Part {
  return {
    title: 'Server',
    conditions: `PostgreSQL ${large.postgresVersion}; the built server, ${connections} connections over HTTP, a
10-connection pool. Figures: median rate, then CPU µs per operation of the server + of its database's connections
(least of the rounds). Ratio: of CPU time (of wall time).`,
    rows,
  };
}

async function close(): Promise<void> {
  await Promise.all([bare.stop(), small.close(), large.close()]);
}

async function ingest(): Promise<void> {
  const { owner } = large.garden;
  const person = bearer({ token: large.tokens.owner });
  const night = { ...dayReading, luminance: 0 };
  const insert = {
    request: 'insert',
    userId: owner.userId,
    plantIds: owner.plantIds,
    reading: Object.values(dayReading),
  };
  const ofPlant = (i: number) => ({ plant_id: owner.plantIds[i % owner.plantIds.length] });
  const figures = await compare(
    {
      empty: {
        count: 3_000,
        run: (count) => load(bare.url, count, () => ({ method: 'GET', path: '/', status: 200 })),
        cpu: async () => ({ appMs: await bare.cpuMs(), dbMs: 0 }),
      },
      insert: {
        count: 3_000,
        run: async (count) => void (await bare.request({ ...insert, count, connections })),
        cpu: large.cpuOf(bare),
      },
      device: large.requests(1_200, (i) => postLog(tokenOf(owner.devices, i), dayReading)),
      person: large.requests(1_200, (i) => postLog(person, { ...ofPlant(i), ...dayReading })),
      night: large.requests(1_200, (i) => postLog(tokenOf(owner.devices, i), night)),
    },
    rounds,
  );
  const { empty, insert: bareInsert, device, person: byPerson, night: atNight } = figures;
  rows.push(
    rowOf('POST /api/logs, device token', device, 'bare insert', bareInsert),
    rowOf('POST /api/logs, device token', device, 'empty Fastify response', empty),
    rowOf("POST /api/logs, person's token", byPerson, 'bare insert', bareInsert),
    rowOf("POST /api/logs, person's token", byPerson, 'empty Fastify response', empty),
    rowOf('POST /api/logs, luminance 0', atNight, 'luminance 5,000', device),
  );
}

async function lists(): Promise<void> {
  const list = (scene: Scene, headers = {}) =>
    scene.requests(200, () => getList({ ...bearer({ token: scene.tokens.reader }), ...headers }));
  const logs = (scene: Scene) =>
    scene.requests(1_000, (i) =>
      getLogs(bearer({ token: scene.tokens.reader }), scene.garden.reader.plantIds, i),
    );
  const figures = await compare(
    {
      smallList: list(small),
      largeList: list(large),
      packedList: list(large, { 'accept-encoding': 'gzip, deflate, br' }),
      smallLogs: logs(small),
      largeLogs: logs(large),
    },
    rounds,
  );
  const { smallList, largeList, packedList, smallLogs, largeLogs } = figures;
  rows.push(
    rowOf('50 plants with readings, 1M logs', largeList, '10k logs', smallList),
    rowOf('50 plants with readings, compressed', packedList, 'not compressed', largeList),
    rowOf('24 logs of a plant, 1M logs', largeLogs, '10k logs', smallLogs),
  );
}

async function deltas(): Promise<void> {
  const person = bearer({ token: large.tokens.collector });
  const { path, headers } = getList(person);
  const etag = async () =>
    (await fetch(large.server.url + path, { headers: headers ?? {} })).headers.get('etag') ?? '';
  const base = await etag();
  const plant = water(person, large.garden.collector.plantIds, 0);
  await fetch(large.server.url + plant.path, { method: plant.method, headers: person });
  const current = await etag();
  const figures = await compare(
    {
      list: large.requests(60, () => headList(person)),
      unchanged: large.requests(300, () => getDelta(person, current, 304)),
      one: large.requests(300, () => getDelta(person, base, 226)),
    },
    rounds,
  );
  rows.push(
    rowOf('Pull with nothing new, 1,000 plants', figures.unchanged, 'whole list', figures.list),
    rowOf('Delta of 1 of 1,000 plants', figures.one, 'whole list', figures.list),
  );
}

async function wateringAndSignIn(): Promise<void> {
  // Only the newest 50 sessions of an account are kept, and the reader's is still used by memory().
  const { owner, collector } = large.garden;
  const person = bearer({ token: large.tokens.owner });
  const verify = { request: 'verify', hash: collector.passwordHash, password: collector.password };
  const keyed = (i: number, round: number): Shot =>
    water({ ...person, 'idempotency-key': `${round}-${i}` }, owner.plantIds, i);
  const figures = await compare(
    {
      plain: large.requests(240, (i) => water(person, owner.plantIds, i)),
      keyed: large.requests(240, keyed),
      login: large.requests(32, () => logIn(collector)),
      verify: {
        count: 32,
        run: async (count) => void (await bare.request({ ...verify, count, connections })),
        cpu: large.cpuOf(bare),
      },
    },
    3,
  );
  rows.push(
    rowOf('Watering with an Idempotency-Key', figures.keyed, 'without', figures.plain),
    rowOf('Sign-in', figures.login, 'bare Argon2 check', figures.verify),
  );
}

async function memory(): Promise<void> {
  rows.push(...(await measureMemory(large)));
}

function tokenOf(devices: { token: string }[], i: number): { authorization: string } {
  return bearer({ token: devices[i % devices.length]?.token ?? '' });
}

export const bench: Bench = {
  open,
  steps: [ingest, lists, deltas, wateringAndSignIn, memory],
  section,
  close,
};
