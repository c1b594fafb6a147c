import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '#embedded-postgres/process/live-postmaster.ts';
import { spawnServer } from '#embedded-postgres/process/spawn-server.ts';
import { temporaryFolder } from './support/data-folder.ts';

/** Misses the first signal, like a PostgreSQL that has no handler for it yet. */
const misses = `
  let signals = 0;
  process.on('SIGINT', () => {
    signals += 1;
    if (signals > 1) process.exit();
  });
  setInterval(() => undefined, 1_000);
  require('node:fs').writeFileSync(process.argv[1], '');
`;

test('a server that misses the first signal to stop, because it has just been started, is stopped by a later one', async () => {
  const folder = temporaryFolder();
  const started = join(folder, 'started');
  const server = spawnServer({
    program: process.execPath,
    args: ['-e', misses, started],
    log: join(folder, 'log'),
    folder,
    user: undefined,
    reusedPid: undefined,
  });
  await expect.poll(() => existsSync(started) && server.pid() !== undefined).toBe(true);
  const pid = server.pid() ?? 0;
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  server.release();
  await expect.poll(server.ended).toBe(true);
});
