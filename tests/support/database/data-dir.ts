import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { livePostmaster } from '#embedded-postgres/process/live-postmaster.ts';

/** A data folder that the system user who runs PostgreSQL can reach too. */
export function reachableDataDir(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-durable-'));
  fs.chmodSync(folder, 0o755);
  return path.join(folder, 'data');
}

/**
 * Deletes the folder once PostgreSQL has stopped, because it can keep running for a while after its server was killed.
 */
export async function removeDataDir(dataDir: string): Promise<void> {
  while (livePostmaster(clusterFiles(dataDir).data)) await sleep(20);
  fs.rmSync(path.dirname(dataDir), { recursive: true, force: true });
}
