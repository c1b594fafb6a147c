import type { Connection } from './app-database.ts';
import { clusterFiles } from './cluster/cluster-files.ts';
import { findDataHome, recordHome, resolveDataHome } from './cluster/data-home.ts';
import { ensureCluster } from './cluster/ensure-cluster.ts';
import { livePostmaster } from './process/live-postmaster.ts';
import { ServerSupervisor } from './process/server-supervisor.ts';
import { socketFolderFor } from './process/socket-folder.ts';
import { findPrograms, type Machine, thisMachine } from './programs/find-programs.ts';
import { preparePrograms } from './programs/prepare-programs.ts';

export interface EmbeddedPostgres {
  connection: Connection;
  /** Whether another process started the server; it stops when that process ends. */
  readonly adopted: boolean;
  /** Lines for the console. */
  notes: string[];
  /** Resolves once the database accepts queries; restarts the server if it has stopped. */
  ensureRunning(): Promise<void>;
  /** The error to report instead if the server has stopped because of its disk, otherwise `error` itself. */
  explain(error: unknown): unknown;
  /** Stops the server cleanly if this process started it; does nothing to an adopted one. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a data folder, or adopts the one that another process runs there. A server that this
 * process started stops when the process ends, even by kill -9. Throws an EmbeddedPostgresError that says what to do.
 */
export async function openEmbedded(
  { dataDir }: { dataDir: string },
  machine: Machine = thisMachine(),
): Promise<EmbeddedPostgres> {
  const installed = findPrograms(machine);
  const home = resolveDataHome(dataDir, machine);
  const programs = await preparePrograms(installed, machine, home);
  const files = await ensureCluster(home, programs);
  recordHome(dataDir, home);
  const place = { files, programs: programs.folder, user: home.user };
  const supervisor = new ServerSupervisor(place, socketFolderFor(home.folder, home.user));
  try {
    await supervisor.ensureRunning();
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return {
    connection: supervisor.connection,
    get adopted() {
      return supervisor.adopted;
    },
    notes: home.notes,
    ensureRunning: () => supervisor.ensureRunning(),
    explain: (error) => supervisor.diskFailure() ?? error,
    stop: () => supervisor.stop(),
  };
}

/**
 * Looks at a data folder without changing anything: whether it has a cluster, and whether a server runs on it. Throws
 * if a recorded cluster is missing.
 */
export function inspectEmbedded(
  dataDir: string,
  machine: Machine = thisMachine(),
): { exists: boolean; isRunning(): boolean } {
  const home = findDataHome(dataDir, machine);
  if (home === undefined) return { exists: false, isRunning: () => false };
  const { data } = clusterFiles(home);
  return { exists: true, isRunning: () => livePostmaster(data) !== undefined };
}
