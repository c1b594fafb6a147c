import pg from 'pg';
import { databaseOver } from '#server/database/database.ts';
import { migrateDatabase } from '#server/database/migrate.ts';
import { makeTestDatabase } from '../support/database/database.ts';
import { runningClock } from '../support/server/clock.ts';
import { requestAs } from '../support/server/request.ts';
import { addPlant, addUser, bearer, login, openTestApp } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import type { Part, Row } from './support/results/results.ts';
import { type Contender, compare, ratio } from './support/results/rounds.ts';
import { connections, load, type Shot } from './support/server/load.ts';
import type { ProbedProcess } from './support/server/probed-process.ts';
import { serve } from './support/server/scene.ts';
import { dayReading, getList, getLogs, postLog, water } from './support/server/shots.ts';

const accountCount = 32;
const plantsEach = 20;
const rounds = 5;
const rows: Row[] = [];

interface Member {
  token: string;
  deviceToken: string;
  plantIds: string[];
}

/** The built server over one of the two databases. */
interface Side {
  server: ProbedProcess;
  members: Member[];
  drop: () => Promise<void>;
}

let citus: Side;
let plain: Side;

async function open(): Promise<void> {
  citus = await openSide(await makeTestDatabase());
  plain = await openSide(await makePlainDatabase());
}

/** A database without Citus on the coordinator, so that PostgreSQL's version and settings are those of the cluster. */
async function makePlainDatabase() {
  const database = await makeTestDatabase({ migrated: false });
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await migrateDatabase(pool);
  await pool.end();
  return database;
}

async function openSide({ url, drop }: { url: string; drop: () => Promise<void> }): Promise<Side> {
  const members = await addMembers(url);
  return { server: await serve({ url }), members, drop };
}

async function addMembers(url: string): Promise<Member[]> {
  const db = databaseOver(new pg.Pool({ connectionString: url, max: 4 }));
  const clock = runningClock();
  const app = await openTestApp({ db, clock });
  const members: Member[] = [];
  try {
    for (let n = 0; n < accountCount; n += 1) {
      const email = `member${n}@example.org`;
      const userId = await addUser(db, clock, email);
      const account = { userId, email, password: 'secret-garden', token: '' };
      account.token = await login(app, email, account.password, true);
      const plantIds: string[] = [];
      for (let i = 0; i < plantsEach; i += 1) {
        const { id } = await addPlant({ app }, account, { device_id: `pot-${i}` });
        plantIds.push(id);
      }
      const payload = { device_id: 'pot-0' };
      const device = await requestAs({ app }, account)('POST', '/api/device-tokens', { payload });
      members.push({ token: account.token, deviceToken: device.json().token, plantIds });
    }
  } finally {
    await app.close();
    await db.close();
  }
  return members;
}

function section(): Part {
  return {
    title: 'Citus on one machine',
    conditions: `One process of the built server on a coordinator and its workers, against the same on a plain database of the
coordinator's PostgreSQL, in turns; ${accountCount} accounts with ${plantsEach} plants each, ${connections} connections over HTTP. Everything runs on one
machine, where a cluster has no advantage. Figures: median rate. Ratio: of the rates.`,
    rows,
  };
}

async function close(): Promise<void> {
  for (const side of [citus, plain]) {
    await side.server.stop();
    await side.drop();
  }
}

async function requests(): Promise<void> {
  const ofDevice: ShotOf = ({ deviceToken }) => postLog(bearer({ token: deviceToken }), dayReading);
  await measure('readings, a device of each account', 800, ofDevice);
  await measure(`list of ${plantsEach} plants`, 800, (member) => getList(bearer(member)));
  await measure('24 readings of a plant', 800, (member, i) =>
    getLogs(bearer(member), member.plantIds, i),
  );
  await measure('waterings', 400, (member, i) => water(bearer(member), member.plantIds, i));
}

type ShotOf = (member: Member, i: number) => Shot;

async function measure(what: string, count: number, shotOf: ShotOf): Promise<void> {
  const contenders = { citus: from(citus, count, shotOf), plain: from(plain, count, shotOf) };
  const figures = await compare(contenders, rounds);
  rows.push({
    what,
    figure: `${Math.round(figures.citus.rate)}/s`,
    against: `plain PostgreSQL: ${Math.round(figures.plain.rate)}/s`,
    ratio: `×${(1 / ratio(figures.citus, figures.plain).wall).toFixed(2)}`,
  });
}

function from({ server, members }: Side, count: number, shotOf: ShotOf): Contender {
  return {
    count,
    run: (shots) =>
      load(server.url, shots, (i) => {
        const member = members[i % members.length];
        if (!member) throw new Error('no member');
        return shotOf(member, i);
      }),
    // CPU time is not counted: a cluster spends it in several PostgreSQL servers.
    cpu: async () => ({ appMs: 0, dbMs: 0 }),
  };
}

export const bench: Bench = { open, steps: [requests], section, close };
