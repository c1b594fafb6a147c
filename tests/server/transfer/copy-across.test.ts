import type net from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { copyAcross } from '#server/transfer/tables.ts';
import { openGate, type PostgresGate } from '../../support/database/postgres-gate.ts';
import { makeTarget, type Target } from './support/run-transfer.ts';

const rows = 100_000;
const hashesPerRow = 16;
const rowBytes = hashesPerRow * 32;

let source: Target;
let target: Target;
let gate: PostgresGate;
const clients: pg.Client[] = [];
beforeAll(async () => {
  [source, target] = [await makeTarget(), await makeTarget()];
  await source.rows(`CREATE TABLE notes AS
    SELECT n, repeat(md5(n::text), ${hashesPerRow}) AS note FROM generate_series(1, ${rows}) n`);
  await target.rows('CREATE TABLE notes (n int, note text)');
  gate = await openGate(inject('postgres'), target.name, ({ bytes }) => bytes > 1_000_000);
});
afterAll(async () => {
  await gate.tearDown();
  await Promise.all(clients.map((client) => client.end()));
  await source.drop();
  await target.drop();
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  clients.push(client);
  await client.connect();
  return client;
}

/** The driver's own socket, which its types leave out. */
function socketOf(client: pg.Client): net.Socket {
  return (client as unknown as { connection: { stream: net.Socket } }).connection.stream;
}

test('rows are not buffered in memory while the target does not read', async () => {
  const [from, into] = [await connect(source.url), await connect(gate.url)];
  const copied = copyAcross(
    { client: from, statement: 'COPY notes TO STDOUT' },
    { client: into, statement: 'COPY notes FROM STDIN' },
  );
  await gate.shut;
  await expect.poll(() => socketOf(from).isPaused(), { timeout: 20_000 }).toBe(true);
  expect(socketOf(from).bytesRead).toBeLessThan((rows * rowBytes) / 2);
  gate.open();
  await copied;
  const sum = 'SELECT count(*), md5(string_agg(note, $$,$$ ORDER BY n)) FROM notes';
  expect(await target.rows(sum)).toEqual(await source.rows(sum));
  // Both connections are free for the next statement.
  expect((await into.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect((await from.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a row that the target rejects ends the copying with the target’s error', async () => {
  const [from, into] = [await connect(source.url), await connect(target.url)];
  await expect(
    copyAcross(
      { client: from, statement: "COPY (SELECT 'x', 'y') TO STDOUT" },
      { client: into, statement: 'COPY notes FROM STDIN' },
    ),
  ).rejects.toThrow('invalid input syntax for type integer');
  expect((await into.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a failure of the source is not reported as one of the target', async () => {
  const [from, into] = [await connect(source.url), await connect(target.url)];
  await expect(
    copyAcross(
      { client: from, statement: 'COPY (SELECT n / 0 FROM notes) TO STDOUT' },
      { client: into, statement: 'COPY notes (n) FROM STDIN' },
    ),
  ).rejects.toThrow(/^The embedded database could not be read \(division by zero\)/);
});
