import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { plantPayload } from '../../support/factories.ts';
import type { EndedCommand } from '../../support/run-command.ts';
import { type ServerProcess, startServer } from '../../support/server/server-process.ts';
import { signIn } from '../../support/server/sign-up.ts';
import {
  fillDataDir,
  type Garden,
  person,
  requestWith,
  whatIsSeen,
} from './support/filled-data-dir.ts';
import { makeTarget, runTransfer, type Target } from './support/run-transfer.ts';

const otherDir = reachableDataDir();
let garden: Garden;
let target: Target;
let moved: EndedCommand;
let server: ServerProcess;
beforeAll(async () => {
  garden = await fillDataDir();
  target = await makeTarget();
  moved = await runTransfer(garden.dataDir, '--to', target.url);
  server = await startServer({ env: { DATA_DIR: otherDir }, command: asPrinted(moved) });
});
afterAll(async () => {
  server.signal('SIGTERM');
  await server.ended;
  await target.drop();
  await Promise.all([garden.dataDir, otherDir].map(removeDataDir));
});

/** A shell command that runs the printed line, with the password in place of the asterisks. */
function asPrinted({ lines }: EndedCommand) {
  const line = lines.at(-1)?.replace(/^Start the server on it: /, '') ?? '';
  const password = encodeURIComponent(inject('postgres').password);
  return ['sh', '-c', `exec env ${line.replace('***', password)}`] as const;
}

// Later tests change the new database.
describe('after a move', { shuffle: false }, () => {
  test('the move prints a line per table and, as the last line, the command that starts the server on the new database', async () => {
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    const tables = await target.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    const copied = moved.lines.map(
      (line) => /^(\w+): \d+ rows? copied and checked$/.exec(line)?.[1],
    );
    expect(copied.filter(Boolean).sort()).toEqual(tables.map(({ tablename }) => tablename).sort());
    expect(moved.lines).toEqual(
      expect.arrayContaining([
        'plants: 2 rows copied and checked',
        'users: 1 row copied and checked',
      ]),
    );
    expect(moved.lines.at(-1)).toContain("DATABASE_URL='postgres://");
    expect(moved.lines.at(-2)).toBe(
      'If the server was started with JWT_SECRET, use that secret; another one signs everybody out.',
    );
    expect(moved.lines.join()).not.toContain(`:${inject('postgres').password}@`);
  });

  test('a session stays valid and shows the same plants, readings and devices', async () => {
    expect(await whatIsSeen(server.url, garden.token, garden.plantId)).toEqual(garden.seen);
  });

  test('roll-ups whose readings are deleted are moved, and the long charts show them', async () => {
    for (const table of ['reading_hours', 'reading_days', 'rollup_progress']) {
      expect(await target.count(table)).toBeGreaterThan(0);
    }
    const [series] = Object.entries(garden.seen).filter(([path]) => path.includes('/series?'));
    expect(JSON.stringify(series)).toContain('20.5');
  });

  test('the person can still sign in with the same password', async () => {
    const token = await signIn(server.url, person);
    expect(await whatIsSeen(server.url, token, garden.plantId)).toEqual(garden.seen);
  });

  test('a watering repeated after the move gets its stored response and counts once', async () => {
    const request = requestWith(server.url, garden.token);
    const again = await request('POST', `/api/plants/${garden.plantId}/water?amount=150`, {
      key: 'watered',
    });
    expect(again).toBe(garden.watered);
    expect(await target.count('waterings')).toBe(1);
  });

  test('a device token still works, and new plants can be added', async () => {
    const report = await requestWith(server.url, garden.deviceToken)('POST', '/api/logs', {
      body: { soil_humidity: 39 },
    });
    expect(JSON.parse(report)).toMatchObject({ plant_id: garden.plantId, soil_humidity: 39 });
    await requestWith(server.url, garden.token)('POST', '/api/plants', { body: plantPayload() });
    expect([await target.count('sensor_logs'), await target.count('plants')]).toEqual([4, 3]);
  });

  test('the schema has no sequences, which a move would have to set', async () => {
    expect(await target.rows("SELECT * FROM pg_sequences WHERE schemaname = 'public'")).toEqual([]);
  });

  test('a second move to a database already in use fails and changes nothing', async () => {
    const users = await target.rows('SELECT * FROM users');
    const { code, stderr, lines } = await runTransfer(garden.dataDir, '--to', target.url);
    expect([code, lines]).toEqual([3, []]);
    expect(stderr).toMatch(/^The new database holds rows already, and \w+ has others than here/);
    expect(await target.rows('SELECT * FROM users')).toEqual(users);
  });

  test('the source keeps its data, a server still starts on it, and while that server runs a move is refused', async () => {
    const old = await startServer({ env: { DATA_DIR: garden.dataDir } });
    expect(await whatIsSeen(old.url, garden.token, garden.plantId)).toEqual(garden.seen);
    const fresh = await makeTarget();
    const { code, stderr } = await runTransfer(garden.dataDir, '--to', fresh.url);
    expect(code).toBe(3);
    expect(stderr).toBe(
      `A server is running on ${path.resolve(garden.dataDir)}. Stop it first (Ctrl+C, or systemctl stop sprig) and run this again: changes made in the meantime would be lost.\n`,
    );
    expect(await fresh.count('users')).toBeNull();
    old.signal('SIGTERM');
    await old.ended;
    await fresh.drop();
  });
});
