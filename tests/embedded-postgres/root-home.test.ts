import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { inspectEmbedded } from '#embedded-postgres/open-embedded.ts';
import { thisMachine } from '#embedded-postgres/programs/find-programs.ts';
import { freshDataDir, runsAsRoot, temporaryFolder, usedDataDir } from './support/data-folder.ts';
import { openHere, query } from './support/running-postgres.ts';

describe.runIf(runsAsRoot)('as root', () => {
  test('if the user nobody cannot reach the folder, data goes to a system folder and a note says so', async () => {
    const dataDir = freshDataDir();
    chmodSync(dirname(dataDir), 0o700);
    const machine = { ...thisMachine(), systemFolder: join(temporaryFolder(), 'system') };
    const first = await openHere(dataDir, machine);
    const [place = ''] = readdirSync(machine.systemFolder);
    expect(first.notes).toEqual([
      expect.stringContaining(`is stored in ${machine.systemFolder}/${place}`),
    ]);
    await query(first.connection, 'CREATE TABLE kept (id int)');
    expect(inspectEmbedded(dataDir, machine).isRunning()).toBe(true);
    await first.stop();
    expect(inspectEmbedded(dataDir, machine)).toMatchObject({ exists: true });

    // The data stays in the system folder even when the user `nobody` can reach `dataDir` again.
    chmodSync(dirname(dataDir), 0o755);
    const second = await openHere(dataDir, machine);
    expect(await query(second.connection, 'SELECT id FROM kept')).toEqual([]);
    await second.stop();

    // Also if the data folder was moved.
    const renamed = `${dataDir}-renamed`;
    renameSync(dataDir, renamed);
    const third = await openHere(renamed, machine);
    expect(await query(third.connection, 'SELECT id FROM kept')).toEqual([]);
    await third.stop();

    // Without the system folder, for example on another machine, no empty database takes its place.
    renameSync(machine.systemFolder, `${machine.systemFolder}-gone`);
    await expect(openHere(renamed, machine)).rejects.toThrow(
      `The database of ${renamed} was in ${machine.systemFolder}/${place} and is not there`,
    );
  });

  test('a private DATA_DIR is used in place and only its group gets permission to traverse it', async () => {
    const dataDir = freshDataDir();
    mkdirSync(dataDir, { mode: 0o700 });
    const { notes } = await openHere(dataDir);
    expect(notes).toEqual([]);
    const { uid, mode } = statSync(dataDir);
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o710 });
    expect(statSync(clusterFiles(dataDir).folder).uid).not.toBe(0);
  });

  test('looking for a database changes no permissions and makes no folder', () => {
    const dataDir = freshDataDir();
    mkdirSync(dataDir, { mode: 0o700 });
    const { gid } = statSync(dataDir);
    const machine = { ...thisMachine(), systemFolder: join(temporaryFolder(), 'system') };
    for (const parentMode of [0o755, 0o700]) {
      chmodSync(dirname(dataDir), parentMode);
      expect(inspectEmbedded(dataDir, machine).exists).toBe(false);
    }
    const found = statSync(dataDir);
    expect([found.gid, found.mode & 0o777]).toEqual([gid, 0o700]);
    expect(existsSync(machine.systemFolder)).toBe(false);
  });

  test('PostgreSQL runs as the ordinary user who owns the data', async () => {
    const dataDir = await usedDataDir();
    spawnSync('chown', ['-R', '4321:4321', dataDir]);
    chmodSync(dataDir, 0o700);
    const { connection } = await openHere(dataDir);
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(statSync(join(clusterFiles(dataDir).data, 'postmaster.pid')).uid).toBe(4321);
  });

  test('a backup that root restored can be opened and queried', async () => {
    const dataDir = await usedDataDir();
    spawnSync('chown', ['-R', '0:0', dataDir]);
    const { connection } = await openHere(dataDir);
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
