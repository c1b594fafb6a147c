import { projectRoot } from '../../src/build/build-if-needed.mjs';
import { bearer } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import { rowOf } from './support/results/figures-text.ts';
import type { Part, Row } from './support/results/results.ts';
import { type Contender, compare } from './support/results/rounds.ts';
import { addCrowd } from './support/server/crowd.ts';
import { connections, load, type Shot } from './support/server/load.ts';
import { type ProbedProcess, startProbed } from './support/server/probed-process.ts';
import { openScene, type Scene, serve } from './support/server/scene.ts';
import { dayReading, postLog } from './support/server/shots.ts';

/** Path of the dist/server/main.js of an earlier version, which is measured in turns with this version. */
const earlierServer = process.env.EARLIER_SERVER;

const rounds = 5;
const crowdSize = 500;
const arraySize = 100;
const rows: Row[] = [];

let scene: Scene;
let bare: ProbedProcess;
let earlier: ProbedProcess | null = null;
let crowd: string[];

async function open(): Promise<void> {
  scene = await openScene(200);
  const { url, owner } = scene.garden;
  crowd = await addCrowd(url, owner.plantIds[0] ?? '', crowdSize);
  bare = await startProbed(`${projectRoot}/tests/bench/support/server/bare.mjs`, {
    DATABASE_URL: url,
  });
  if (earlierServer) earlier = await serve(scene.garden, { program: earlierServer });
}

function section(): Part {
  return {
    title: 'Ingest',
    conditions: `PostgreSQL ${scene.postgresVersion}; one process of the built server, ${connections} connections over
HTTP, device tokens. One account has 500 devices; ${crowdSize} accounts have one each. Figures: median rate, then CPU µs per
reading of the server + of its database's connections (least of the rounds). Ratio: of CPU time (of wall time).`,
    rows,
  };
}

async function close(): Promise<void> {
  await Promise.all([bare.stop(), earlier?.stop(), scene.close()]);
}

function from(server: ProbedProcess, shotOf: (i: number) => Shot): Contender {
  return {
    count: 1_600,
    run: (count) => load(server.url, count, shotOf),
    cpu: scene.cpuOf(server),
  };
}

async function ingest(): Promise<void> {
  const { owner } = scene.garden;
  const ofAccount = (i: number) =>
    postLog(bearer({ token: owner.devices[i % owner.devices.length]?.token ?? '' }), dayReading);
  const ofCrowd = (i: number) =>
    postLog(bearer({ token: crowd[i % crowd.length] ?? '' }), dayReading);
  const insert = {
    userId: owner.userId,
    plantIds: owner.plantIds,
    reading: Object.values(dayReading),
  };
  const contenders: Record<string, Contender> = {
    insert: {
      count: 3_000,
      run: async (count) =>
        void (await bare.request({ request: 'insert', ...insert, count, connections })),
      cpu: scene.cpuOf(bare),
    },
    account: from(scene.server, ofAccount),
    crowd: from(scene.server, ofCrowd),
    array: { ...from(scene.server, arrayOf), run: arrays },
  };
  if (earlier) {
    contenders.earlierAccount = from(earlier, ofAccount);
    contenders.earlierCrowd = from(earlier, ofCrowd);
  }
  const figures = await compare(contenders, rounds);
  const add = (what: string, name: string, against: string, other: string) => {
    const [one, another] = [figures[name], figures[other]];
    if (one && another) rows.push(rowOf(what, one, against, another));
  };
  add('devices of one account', 'account', 'bare insert', 'insert');
  add('a device of each account', 'crowd', 'bare insert', 'insert');
  add(`arrays of ${arraySize} readings`, 'array', 'bare insert', 'insert');
  add('devices of one account', 'account', 'the earlier version', 'earlierAccount');
  add('a device of each account', 'crowd', 'the earlier version', 'earlierCrowd');
}

/** Sends `count` readings in arrays; each array contains the readings of one device. */
async function arrays(count: number): Promise<void> {
  await load(scene.server.url, Math.ceil(count / arraySize), arrayOf);
}

let sentUntil = Date.now() - 300 * 86_400_000;

function arrayOf(i: number): Shot {
  const { devices } = scene.garden.owner;
  const readings = Array.from({ length: arraySize }, () => {
    sentUntil += 60_000;
    return { ...dayReading, timestamp: new Date(sentUntil).toISOString() };
  });
  return {
    ...postLog(bearer({ token: devices[i % devices.length]?.token ?? '' }), readings),
    status: 200,
  };
}

export const bench: Bench = { open, steps: [ingest], section, close };
