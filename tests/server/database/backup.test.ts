import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { seeded } from '../../support/seeded.ts';
import { type ServerProcess, startServer } from '../../support/server/server-process.ts';
import { signIn, signUp } from '../../support/server/sign-up.ts';
import { Writer } from '../durability/support/writer.ts';

const hasPsql = spawnSync('psql', ['--version']).status === 0;
const person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };
const script = path.join(projectRoot, 'src/server/database/backup.sh');

describe.runIf(hasPsql)('a backup of a server that keeps writing', () => {
  // Users' folders can have a space and an apostrophe in their names.
  const dataDir = path.join(path.dirname(reachableDataDir()), "Rosa's plants");
  const restored = reachableDataDir();
  const file = path.join(path.dirname(dataDir), "Rosa's backup.tar");
  let server: ServerProcess;
  let token: string;
  beforeAll(async () => {
    server = await startServer({ env: { DATA_DIR: dataDir } });
    await signUp(server, person);
    token = await signIn(server.url, person);
  });
  afterAll(async () => {
    await server.kill();
    await Promise.all([dataDir, restored].map(removeDataDir));
  });

  async function backUp(folder: string): Promise<{ code: number; output: string }> {
    const child = spawn('sh', [script, folder, file]);
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += String(chunk);
    });
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  async function plantsAt(url: string): Promise<string[]> {
    const response = await fetch(`${url}/api/plants`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await response.json()) as { id: string }[]).map(({ id }) => id);
  }

  test('a backup contains every write acknowledged before it began and keeps sessions valid', async () => {
    const writer = new Writer('w', seeded(1));
    const writing = writer.write(server.url, token);
    await expect.poll(() => writer.acknowledged, { timeout: 60_000 }).toBeGreaterThan(30);
    const before = await plantsAt(server.url);
    const written = writer.acknowledged;
    expect(await backUp(dataDir)).toEqual({ code: 0, output: '' });
    expect(writer.acknowledged).toBeGreaterThan(written);
    writer.pause();
    await writing;

    fs.mkdirSync(restored, { recursive: true });
    execFileSync('tar', ['-xpf', file, '-C', restored]);
    const other = await startServer({ env: { DATA_DIR: restored } });
    expect(before.length).toBeGreaterThan(0);
    expect(await plantsAt(other.url)).toEqual(expect.arrayContaining(before));
    other.signal('SIGTERM');
    expect(await other.ended).toBe(0);
  });

  test('a backup of a folder without a running server fails with an explanation', async () => {
    const nowhere = path.dirname(restored);
    expect(await backUp(nowhere)).toEqual({
      code: 1,
      output: `No server is running on ${nowhere}: copy the folder itself.\n`,
    });
  });
});
