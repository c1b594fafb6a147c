import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { removeDataDir } from '../../support/database/data-dir.ts';
import { type Moment, openGate } from '../../support/database/postgres-gate.ts';
import { addReadings, fillDataDir, type Garden } from './support/filled-data-dir.ts';
import { makeTarget, runTransfer, startTransfer, type Target } from './support/run-transfer.ts';

const readings = 20_000;

let garden: Garden;
let target: Target;
beforeAll(async () => {
  garden = await fillDataDir();
  await addReadings(garden.dataDir, garden.plantId, readings);
});
afterAll(() => removeDataDir(garden.dataDir));
beforeEach(async () => {
  target = await makeTarget();
});
afterEach(() => target.drop());

const inTheMiddle: Moment = ({ bytes }) => bytes > 600_000;

async function expectMoved(): Promise<void> {
  const counts = await Promise.all(
    ['users', 'plants', 'sensor_logs', 'waterings'].map((table) => target.count(table)),
  );
  expect(counts).toEqual([1, 2, readings + 3, 1]);
}

async function moveAgain(): Promise<string[]> {
  const { code, stderr, lines } = await runTransfer(garden.dataDir, '--to', target.url);
  expect([code, stderr]).toEqual([0, '']);
  await expectMoved();
  return lines;
}

test.each<[string, Moment]>([
  ['as it connects', () => true],
  ['while it makes the tables', ({ text }) => text.includes('CREATE TABLE "sensor_logs"')],
  ['while it copies the readings', inTheMiddle],
])(
  'a transfer that is killed %s leaves no rows, and a second run moves everything once',
  async (_, moment) => {
    const gate = await openGate(inject('postgres'), target.name, moment);
    const first = startTransfer(garden.dataDir, '--to', gate.url);
    await gate.shut;
    first.process.kill('SIGKILL');
    await first.ended;
    await gate.tearDown();
    expect([0, null]).toContain(await target.count('users'));
    expect(await moveAgain()).toContain(`sensor_logs: ${readings + 3} rows copied and checked`);
  },
);

test('after a kill between commit and report, the next run reports that everything was copied', async () => {
  // Not the first COMMIT, which is that of the tables.
  const gate = await openGate(
    inject('postgres'),
    target.name,
    (sent) => inTheMiddle(sent) && sent.text.includes('COMMIT\0'),
  );
  const first = startTransfer(garden.dataDir, '--to', gate.url);
  await gate.shut;
  await expect.poll(() => target.count('users')).toBe(1);
  first.process.kill('SIGKILL');
  await first.ended;
  await gate.tearDown();
  const lines = await moveAgain();
  expect(lines).toContain(`sensor_logs: ${readings + 3} rows there already, checked`);
  expect(lines.at(-1)).toMatch(/^Start the server on it: /);
});

test('a lost connection to the new database is reported in one line, and nothing is stored', async () => {
  const gate = await openGate(inject('postgres'), target.name, inTheMiddle);
  const first = startTransfer(garden.dataDir, '--to', gate.url);
  await gate.shut;
  await gate.tearDown();
  const { code, stderr, lines } = await first.ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The new database: it does not respond; check that it runs .*\n$/);
  expect(lines.join('\n')).not.toContain('sensor_logs');
  await expect.poll(() => target.count('users')).toBe(0);
  await moveAgain();
});

test('a connection that is lost after the commit does not make the transfer fail', async () => {
  const gate = await openGate(
    inject('postgres'),
    target.name,
    (sent) => inTheMiddle(sent) && sent.text.includes('ANALYZE'),
  );
  const first = startTransfer(garden.dataDir, '--to', gate.url);
  await gate.shut;
  await gate.tearDown();
  const { code, stderr, lines } = await first.ended;
  expect([code, stderr]).toEqual([0, '']);
  await expectMoved();
  expect(lines.at(-3)).toMatch(/^The statistics of its tables were not collected \(.*\)\./);
  expect(lines.at(-1)).toMatch(/^Start the server on it: /);
});

test('a connection that is lost while rows are compared is reported as lost, not as other rows', async () => {
  await moveAgain();
  const gate = await openGate(inject('postgres'), target.name, ({ text }) =>
    text.includes('AS checksum'),
  );
  const second = startTransfer(garden.dataDir, '--to', gate.url);
  await gate.shut;
  await gate.tearDown();
  const { code, stderr, lines } = await second.ended;
  expect([code, lines]).toEqual([1, []]);
  expect(stderr).toMatch(/^The new database: it does not respond; check that it runs .*\n$/);
});
