import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import type { Connection } from '#embedded-postgres/app-database.ts';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { type EmbeddedPostgres, openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { isPostmaster, livePostmaster } from '#embedded-postgres/process/live-postmaster.ts';
import type { Machine } from '#embedded-postgres/programs/find-programs.ts';

/** Opens the data folder in this process and stops it after the test. */
export async function openHere(dataDir: string, machine?: Machine): Promise<EmbeddedPostgres> {
  const postgres = await openEmbedded({ dataDir }, machine);
  onTestFinished(() => postgres.stop());
  return postgres;
}

export async function query<Row>(connection: Connection, text: string): Promise<Row[]> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export function postmasterPid(dataDir: string): number | undefined {
  return livePostmaster(clusterFiles(dataDir).data)?.pid;
}

/** Waits until the process is gone; if it never is, the test times out. */
export async function untilGone(pid: number, dataDir: string): Promise<void> {
  while (isPostmaster(pid, clusterFiles(dataDir).data)) await sleep(20);
}
