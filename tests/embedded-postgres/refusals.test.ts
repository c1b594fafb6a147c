import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { EmbeddedPostgresError } from '#embedded-postgres/embedded-postgres-error.ts';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { type Machine, thisMachine } from '#embedded-postgres/programs/find-programs.ts';
import { freshDataDir, runsAsRoot, temporaryFolder, usedDataDir } from './support/data-folder.ts';

async function refusal(dataDir: string, machine?: Machine): Promise<string> {
  const error = await openEmbedded({ dataDir }, machine).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  const { message } = error as EmbeddedPostgresError;
  expect(message).not.toContain('\n');
  return message;
}

test.each([
  ['Windows', { platform: 'win32' }],
  ['a Linux with musl', { platform: 'linux', musl: true }],
  ['an unknown processor', { platform: 'linux', arch: 'riscv64' }],
])('on %s the start fails with one line that says to set DATABASE_URL', async (_, difference) => {
  const dataDir = freshDataDir();
  expect(await refusal(dataDir, { ...thisMachine(), ...difference })).toMatch(/set DATABASE_URL$/);
  expect(() => statSync(dataDir)).toThrow();
});

test('a package that is not installed is reported by name', async () => {
  const findPackage = () => {
    throw new Error('Cannot find module');
  };
  const machine = { ...thisMachine(), platform: 'linux', arch: 'x64', musl: false, findPackage };
  expect(await refusal(freshDataDir(), machine)).toMatch(
    /@embedded-postgres\/linux-x64 is not installed.*set DATABASE_URL$/,
  );
});

test('a DATA_DIR that is a file, or is inside one, is reported by name', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(await refusal(file)).toContain(`cannot use ${file}: it is not a folder`);
  const under = join(file, 'data');
  expect(await refusal(under)).toContain(`cannot use ${under}: a file stands where a folder`);
});

test('a DATA_DIR that is not writable is reported by name', async () => {
  const dataDir = join(unwritableFolder(), 'data');
  expect(await refusal(dataDir)).toMatch(/cannot use .*data: (this user may|the file system is)/);
});

test('data of another PostgreSQL version is refused with both versions in the error', async () => {
  const dataDir = await usedDataDir();
  writeFileSync(join(clusterFiles(dataDir).data, 'PG_VERSION'), '17\n');
  expect(await refusal(dataDir)).toContain(
    'was created by PostgreSQL 17 and this is PostgreSQL 18',
  );
});

test('a wrong password in the password file is reported, and a missing password file is reported by name', async () => {
  const dataDir = await usedDataDir();
  const { password } = clusterFiles(dataDir);
  writeFileSync(password, 'another');
  expect(await refusal(dataDir)).toContain('refuses the password');
  rmSync(password);
  expect(await refusal(dataDir)).toContain(`${password}: a part of it is missing`);
});

test('a socket folder that others can enter is not used', async () => {
  const dataDir = await usedDataDir();
  const { connection, stop } = await openEmbedded({ dataDir });
  await stop();
  const folder = connection.host;
  mkdirSync(folder);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  expect(await refusal(dataDir)).toContain(`${folder} is not a private folder`);
});

test("damaged data is reported in PostgreSQL's own words with the place of its log", async () => {
  const dataDir = await usedDataDir();
  const { data, log } = clusterFiles(dataDir);
  rmSync(join(data, 'global/pg_control'));
  const message = await refusal(dataDir);
  expect(message).toContain('pg_control');
  expect(message).toContain(log);
});

/** A folder that this user cannot write to. Root ignores modes, so root gets a read-only folder of the system. */
function unwritableFolder(): string {
  if (runsAsRoot) return process.platform === 'linux' ? '/sys/kernel' : '/System';
  const folder = temporaryFolder();
  chmodSync(folder, 0o555);
  return folder;
}
