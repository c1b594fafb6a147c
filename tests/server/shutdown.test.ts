import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reachableDataDir, removeDataDir } from '../support/database/data-dir.ts';
import { makeTestDatabase } from '../support/database/database.ts';
import { lockPlant, untilWaiting } from '../support/database/database-waits.ts';
import { plantPayload } from '../support/factories.ts';
import { type StartOptions, spawnServer, startServer } from '../support/server/server-process.ts';
import { signIn, signUp } from '../support/server/sign-up.ts';

const person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };
const dataDir = reachableDataDir();
let database: Awaited<ReturnType<typeof makeTestDatabase>>;
let pool: pg.Pool;
beforeEach(async () => {
  database = await makeTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // `end()` resolves before all sockets are closed, so dropping the database may terminate a connection with an error.
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  await removeDataDir(dataDir);
});

const settings = () => ({
  DATA_DIR: dataDir,
  DATABASE_URL: database.url,
  JWT_SECRET: 'a secret that is long enough for tests',
});

test.each<[string, StartOptions['command']]>([
  ['the server', undefined],
  ['npm start', ['npm', '--silent', 'start']],
])(
  'after a SIGTERM to %s requests in flight finish, new ones get a 503, and the process exits with code 0',
  async (_, command) => {
    const server = await startServer({ env: settings(), ...(command && { command }) });
    await signUp(server, person);
    const token = await signIn(server.url, person);
    const request = (path: string, body?: object) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const { id } = (await (await request('/api/plants', plantPayload())).json()) as { id: string };

    const holder = await pool.connect();
    await holder.query('BEGIN');
    await lockPlant(holder, id);
    const watering = request(`/api/plants/${id}/water?amount=150`);
    await untilWaiting({ db: { pool } });
    server.signal('SIGTERM');
    // From now on it refuses new requests with an error of the usual format.
    const health = () => fetch(`${server.url}/healthz`);
    await expect.poll(async () => (await health()).status).toBe(503);
    const refusal = await health();
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await refusal.json()).toEqual({
      code: 'unavailable',
      message: 'The server is stopping',
    });
    await holder.query('COMMIT');
    holder.release();

    const response = await watering;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, last_watered: expect.any(String) });
    expect(await server.ended).toBe(0);
    expect((await pool.query('SELECT amount_ml FROM waterings')).rows).toEqual([
      { amount_ml: 150 },
    ]);
  },
);

test('after a SIGTERM the server cuts off a request that is never sent completely and exits with code 0', async () => {
  const server = await startServer({ env: settings() });
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const headers = 'Host: sprig\r\nContent-Type: application/json\r\nContent-Length: 100';
  socket.on('error', () => undefined).write(`POST /auth/login HTTP/1.1\r\n${headers}\r\n\r\n{"use`);
  // A response to a later request proves that the server has read the headers of this one.
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const cut = once(socket, 'close');
  server.signal('SIGTERM');
  await cut;
  expect(await server.ended).toBe(0);
}, 60_000);

test('a SIGTERM while the server starts makes it exit with code 0', async () => {
  // A database that never responds, so that the start goes on until the signal.
  const silent = net.createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as net.AddressInfo;
  const url = `postgres://sprig:rose@127.0.0.1:${port}/sprig`;
  const child = spawnServer({ env: { ...settings(), DATABASE_URL: url } });
  const [socket] = (await once(silent, 'connection')) as [net.Socket];
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  socket.destroy();
  silent.close();
});

// A terminal sends Ctrl+C to npm and to the server, and npm sends it to the server again.
test('a signal that arrives twice within half a second counts once', async () => {
  const server = await startServer({ env: settings() });
  server.signal('SIGINT');
  server.signal('SIGINT');
  setTimeout(() => server.signal('SIGINT'), 50);
  expect(await server.ended).toBe(0);
}, 60_000);
