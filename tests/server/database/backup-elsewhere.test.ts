import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { thisMachine } from '#embedded-postgres/programs/find-programs.ts';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import { runsAsRoot, temporaryFolder } from '../../embedded-postgres/support/data-folder.ts';
import { openHere, query } from '../../embedded-postgres/support/running-postgres.ts';

const hasPsql = spawnSync('psql', ['--version']).status === 0;
const script = path.join(projectRoot, 'src/server/database/backup.sh');

/** Runs backup.sh and returns what it wrote to stderr. */
function backUp(dataDir: string, file: string): string {
  return spawnSync('sh', [script, dataDir, file], { encoding: 'utf8' }).stderr;
}

test.runIf(hasPsql && runsAsRoot)(
  'if only root can enter the data folder, a backup contains the database from the system folder too',
  async () => {
    const closed = temporaryFolder();
    fs.chmodSync(closed, 0o700);
    const dataDir = path.join(closed, 'data');
    const machine = { ...thisMachine(), systemFolder: path.join(temporaryFolder(), 'system') };
    const running = await openEmbedded({ dataDir }, machine);
    onTestFinished(() => running.stop());
    await query(running.connection, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)');
    fs.writeFileSync(path.join(dataDir, 'token-secret'), 'secret');
    const file = path.join(temporaryFolder(), 'backup.tar');
    expect(backUp(dataDir, file)).toBe('');

    const restored = path.join(temporaryFolder(), 'restored');
    fs.mkdirSync(restored);
    execFileSync('tar', ['-xpf', file, '-C', restored]);
    expect(fs.readdirSync(restored).sort()).toEqual(['postgres', 'token-secret']);
    const { connection } = await openHere(restored);
    expect(await query(connection, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);

    // Without a running server the script's message contains both folders that have to be copied.
    await running.stop();
    const [place = ''] = fs
      .readdirSync(machine.systemFolder)
      .filter((name) => !name.startsWith('postgres-'));
    expect(backUp(dataDir, file)).toBe(
      `No server is running on ${dataDir}: copy the folder itself and ${machine.systemFolder}/${place}.\n`,
    );
  },
);
