import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plantPayload } from '../../support/factories.ts';
import { type ServerProcess, startServer } from '../../support/server/server-process.ts';
import { signIn, signUp } from '../../support/server/sign-up.ts';

const person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };
const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-disk-'));
const dataDir = path.join(disk, 'data');
const ballast = path.join(disk, 'ballast');
const size = '160m';

/**
 * Mounts a disk (tmpfs) for the test and says whether that worked. It needs Linux and root, and in a container the
 * permission to mount.
 */
const hasOwnDisk =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk]).status === 0;

afterAll(() => {
  if (hasOwnDisk) spawnSync('umount', ['-l', disk]);
  fs.rmdirSync(disk);
});

describe.runIf(hasOwnDisk)('on a disk of its own, which only root can make', () => {
  let server: ServerProcess;
  let token: string;
  beforeAll(async () => {
    server = await startServer({ env: { DATA_DIR: dataDir } });
    await signUp(server, person);
    token = await signIn(server.url, person);
  });
  afterAll(async () => {
    server.signal('SIGTERM');
    await server.ended;
  });

  const create = (key: string) =>
    fetch(`${server.url}/api/plants`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(plantPayload({ nickname: key, description: 'x'.repeat(20_000) })),
    });

  test('on a full disk a write gets a 503 with Retry-After, and everything works again once there is room', async () => {
    const acknowledged: string[] = [];
    fill(ballast);
    let refused: Response | null = null;
    // The first writes may succeed, because PostgreSQL allocates space for its write-ahead log (WAL) in advance.
    for (let i = 0; refused === null; i += 1) {
      const response = await create(`plant-${i}`);
      if (response.status === 201) acknowledged.push(`plant-${i}`);
      else refused = response;
    }
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    const next = await create('later');
    expect(next.status).toBe(503);

    fs.rmSync(ballast);
    await expect.poll(async () => (await create('later')).status, { timeout: 60_000 }).toBe(201);
    const headers = { authorization: `Bearer ${token}` };
    const list = await (await fetch(`${server.url}/api/plants`, { headers })).json();
    const nicknames = (list as { nickname: string }[]).map(({ nickname }) => nickname);
    expect(nicknames).toEqual(expect.arrayContaining([...acknowledged, 'later']));
    expect(new Set(nicknames).size).toBe(nicknames.length);
  });

  test('a start on a full disk fails with one line that says that the disk is full', async () => {
    await server.kill();
    fill(ballast);
    const other = path.join(disk, 'other');
    const start = startServer({ env: { DATA_DIR: other } });
    await expect(start).rejects.toThrow(/^exit 1: Sprig could not start: .*disk is full.*\n$/);
    fs.rmSync(ballast);
    fs.rmSync(other, { recursive: true, force: true });
    server = await startServer({ env: { DATA_DIR: dataDir } });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

// With 20 MB the database cannot be created. With 50 MB it is lost while the demo garden is written.
describe.runIf(hasOwnDisk).each(['20m', '50m'])('on a disk of %s', (tooSmall) => {
  let small: string;
  beforeAll(() => {
    small = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-disk-'));
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${tooSmall},mode=755`, 'tmpfs', small]);
  });
  afterAll(() => {
    spawnSync('umount', ['-l', small]);
    fs.rmdirSync(small);
  });

  test('the first start fails with one line that says that the disk is full', async () => {
    const start = startServer({ env: { DATA_DIR: path.join(small, 'data'), DEMO: '1' } });
    await expect(start).rejects.toThrow(/^exit 1: Sprig could not start: .*disk is full.*\n$/);
  });
});

/** Writes to the file until the disk is full. */
function fill(file: string): void {
  const handle = fs.openSync(file, 'w');
  for (let chunk = Buffer.alloc(1024 * 1024); chunk.length > 0; ) {
    try {
      fs.writeSync(handle, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      chunk = chunk.subarray(0, chunk.length >> 1);
    }
  }
  fs.closeSync(handle);
}
