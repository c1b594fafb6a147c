import pg from 'pg';
import { provided } from '../../../support/provided.ts';
import { testSecret } from '../../../support/server/server.ts';
import { signIn } from '../../../support/server/sign-up.ts';
import type { Contender } from '../results/rounds.ts';
import { databaseCpu } from './database-cpu.ts';
import { createGarden, type Garden } from './garden.ts';
import { load, type Shot } from './load.ts';
import { type ProbedProcess, startProbed } from './probed-process.ts';

/** The built server on the database of a garden, and tokens of the garden's accounts. */
export interface Scene {
  garden: Garden;
  server: ProbedProcess;
  postgresVersion: string;
  tokens: { reader: string; owner: string; collector: string };
  /** The CPU time of a process and of the garden's database, separately. */
  cpuOf: (app: ProbedProcess) => Contender['cpu'];
  /** One of the variants that are compared: it sends these requests. */
  requests: (count: number, shotOf: (i: number, round: number) => Shot) => Contender;
  close: () => Promise<void>;
}

export async function openScene(readingsEach: number): Promise<Scene> {
  const garden = await createGarden(readingsEach);
  const admin = new pg.Client({ ...provided('postgres'), database: 'postgres' });
  await admin.connect();
  const version = await admin.query<{ server_version: string }>('SHOW server_version');
  const server = await serve(garden);
  const dbCpuMs = databaseCpu(admin, garden.name);
  const cpuOf = (app: ProbedProcess) => async () => ({
    appMs: await app.cpuMs(),
    dbMs: await dbCpuMs(),
  });
  return {
    garden,
    server,
    postgresVersion: version.rows[0]?.server_version ?? '',
    tokens: {
      reader: await signIn(server.url, garden.reader),
      owner: await signIn(server.url, garden.owner),
      collector: await signIn(server.url, garden.collector),
    },
    cpuOf,
    requests: (count, shotOf) => ({
      count,
      run: (shots, round) => load(server.url, shots, (i) => shotOf(i, round)),
      cpu: cpuOf(server),
    }),
    close: async () => {
      await server.stop();
      await admin.end();
      await garden.drop();
    },
  };
}

/** Starts the built server as in production, but without the demo and with AUTH_RATE_LIMIT off. */
export function serve(
  { url }: Pick<Garden, 'url'>,
  {
    program = 'dist/server/main.js',
    env = {},
  }: { program?: string; env?: Record<string, string> } = {},
): Promise<ProbedProcess> {
  return startProbed(program, {
    DATABASE_URL: url,
    JWT_SECRET: testSecret,
    PORT: '0',
    DEMO: '0',
    AUTH_RATE_LIMIT: '0',
    ...env,
  });
}
