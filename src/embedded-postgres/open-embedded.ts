import type { Connection } from './app-database.ts';
import { settleCluster } from './cluster/init-cluster.ts';
import { settleDataHome } from './cluster/settle-data-home.ts';
import { ServerKeeper } from './process/server-keeper.ts';
import { socketFolderFor } from './process/socket-folder.ts';
import { findPrograms } from './programs/find-programs.ts';
import { type Machine, thisMachine } from './programs/machine.ts';
import { preparePrograms } from './programs/prepare-programs.ts';

export interface EmbeddedPostgres {
  connection: Connection;
  /** Another process started the server and takes it along when it ends. */
  readonly adopted: boolean;
  /** Plain sentences for the console. */
  notes: string[];
  /** Resolves once the database answers, having started the server again where it was gone. */
  ensureRunning(): Promise<void>;
  /** Stops the server cleanly if this process started it, else only lets go of it. */
  stop(): Promise<void>;
}

/** Starts or adopts the PostgreSQL of a data folder; it ends when this process does, however that ends. */
export async function openEmbedded(
  { dataDir }: { dataDir: string },
  machine: Machine = thisMachine(),
): Promise<EmbeddedPostgres> {
  const installed = findPrograms(machine);
  const home = settleDataHome(dataDir, machine);
  const programs = await preparePrograms(installed, machine, home);
  const files = await settleCluster(home, programs);
  const place = { files, programs: programs.folder, account: home.account };
  const keeper = new ServerKeeper(place, socketFolderFor(home.folder, home.account));
  try {
    await keeper.ensureRunning();
  } catch (error) {
    await keeper.stop();
    throw error;
  }
  return {
    connection: keeper.connection,
    get adopted() {
      return keeper.adopted;
    },
    notes: home.notes,
    ensureRunning: () => keeper.ensureRunning(),
    stop: () => keeper.stop(),
  };
}
