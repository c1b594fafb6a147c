import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { livePostmaster } from '#embedded-postgres/process/live-postmaster.ts';
import type { Random } from '../../../support/seeded.ts';
import { type ServerProcess, spawnServer } from '../../../support/server/server-process.ts';

export const victims = ['Node', 'Node and PostgreSQL', 'PostgreSQL'] as const;
export type Victim = (typeof victims)[number];

/** Kills Node, PostgreSQL or both with kill -9; if both, in random order. */
export async function killServer(
  victim: Victim,
  server: ServerProcess,
  dataDir: string,
  random: Random,
): Promise<void> {
  const database = victim === 'Node' ? [] : databaseProcesses(dataDir);
  const node = victim === 'PostgreSQL' ? [] : [server.pid];
  const pids = random.chance(0.5) ? [...node, ...database] : [...database, ...node];
  for (const pid of pids) killQuietly(pid);
  if (victim !== 'PostgreSQL') await server.ended;
}

/** Kills a starting server before, during or after the recovery of the database. */
export async function killWhileStarting(env: Record<string, string>, random: Random) {
  const child = spawnServer({ env });
  await sleep(random.below(700));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

/** The pids of the postmaster and its child processes. */
function databaseProcesses(dataDir: string): number[] {
  const postmaster = livePostmaster(clusterFiles(dataDir).data)?.pid;
  if (postmaster === undefined) return [];
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.filter(([, parent]) => parent === postmaster).map(([pid = 0]) => pid);
  return [postmaster, ...children].filter((pid) => pid > 0);
}

/** Ignores a process that has ended since it was listed. */
function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
