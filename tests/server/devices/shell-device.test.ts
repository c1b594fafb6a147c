import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import { runningClock } from '../../support/server/clock.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { minuteMs, openPot, type Pot } from '../../support/server/soil.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const script = path.join(projectRoot, 'src/simulator/device/shell-device.sh');

/** The shell script of the device guide against the real server. */
describe.runIf(hasCurl)('a device that is a shell script', () => {
  let server: TestServer;
  let url: string;
  beforeAll(async () => {
    server = await openTestServer(runningClock());
    url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  let pot: Pot;
  let env: Record<string, string>;
  let pumped: string;
  beforeEach(async () => {
    pot = await openPot(server);
    const made = await pot.request('POST', '/api/device-tokens', {
      payload: { device_id: 'pot-1' },
    });
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-shell-device-'));
    pumped = path.join(folder, 'pumped');
    fs.writeFileSync(pumped, '');
    fs.writeFileSync(path.join(folder, 'pump'), `echo "$1" >>'${pumped}'`);
    env = {
      PATH: process.env.PATH ?? '',
      STATE_DIR: path.join(folder, 'state'),
      SPRIG_URL: url,
      SPRIG_TOKEN: made.json<NewDeviceToken>().token,
      SENSOR: 'echo 20.5',
      PUMP: `sh ${path.join(folder, 'pump')}`,
    };
    return () => fs.rmSync(folder, { recursive: true });
  });

  let stderr: string;
  /**
   * Sends one report, without blocking this process, which runs the server. Resolves to the exit code. `started` is
   * called with the id of the process.
   */
  async function report(
    changes: Record<string, string> = {},
    started: (pid: number | undefined) => void = () => undefined,
  ): Promise<number> {
    const child = spawn('sh', [script, 'once'], {
      env: { ...env, ...changes },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    started(child.pid);
    stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const [code] = (await once(child, 'close')) as [number];
    return code;
  }

  /** The URL of a server that is not Sprig and sends the same response to every request. */
  async function serverThatSends(status: number, body: string): Promise<string> {
    const other = http.createServer((_, response) => {
      response.writeHead(status, { location: 'https://plants.example.org/' }).end(body);
    });
    onTestFinished(() => void other.close());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  }

  /** Stores two dry readings, then sends a report whose response contains a command. */
  async function reportDrySoil(changes: Record<string, string> = {}): Promise<void> {
    // More than two minutes apart, the minimum gap of the watering rule, because the timestamp of the report is rounded
    // down to whole seconds.
    for (const minutesAgo of [5, 2.5]) {
      const timestamp = new Date(server.clock().getTime() - minutesAgo * minuteMs).toISOString();
      await pot.log({ soil_humidity: 20.5, timestamp });
    }
    expect(await report(changes)).toBe(0);
  }

  const began = Date.now();
  /** The time `minutes` after the tests began, in ISO 8601. */
  const at = (minutes: number) => new Date(began + minutes * minuteMs).toISOString();
  const waitingFile = () => path.join(env.STATE_DIR ?? '', 'waiting');
  const storedSoil = async () =>
    (await pot.request('GET', `/api/logs/plant/${pot.id}`))
      .json<ReadingLog[]>()
      .map(({ soil_humidity }) => soil_humidity);

  /** A SENSOR that runs this shell program. */
  function sensorOf(program: string): string {
    const file = `${pumped}-sensor`;
    fs.writeFileSync(file, program);
    return `sh ${file}`;
  }

  /** Stores a reading of 50 % on the device, as if it had been read some minutes ago without a network. */
  async function keepOne(): Promise<void> {
    const down = { SPRIG_URL: 'http://127.0.0.1:1' };
    expect(await report({ ...down, SENSOR: 'echo 50' })).not.toBe(0);
    const reading = fs.readFileSync(waitingFile(), 'utf8');
    fs.writeFileSync(
      waitingFile(),
      reading.replace(/"timestamp":"[^"]*"/, `"timestamp":"${at(-4)}"`),
    );
  }

  const runs = () => fs.readFileSync(pumped, 'utf8').trim().split('\n').filter(Boolean);
  const commands = async () =>
    (
      await server.db.pool.query(
        'SELECT status, reported_ml FROM watering_commands WHERE plant_id = $1 ORDER BY id',
        [pot.id],
      )
    ).rows;

  test('reports, runs a command once and reports its result with the next reading', async () => {
    await reportDrySoil();
    expect(runs()).toEqual(['150']);
    expect(await pot.waterings()).toEqual([]);
    expect(await report()).toBe(0);
    expect(await pot.waterings()).toMatchObject([{ source: 'auto', amount_ml: 150 }]);
    expect(await report()).toBe(0);
    expect([runs(), await commands()]).toEqual([['150'], [{ status: 'done', reported_ml: 150 }]]);
  });

  test('the id of a command is on the disk before the pump runs', async () => {
    const programs = path.dirname(pumped);
    fs.writeFileSync(path.join(programs, 'sync'), `#!/bin/sh\necho on disk >>'${pumped}'`, {
      mode: 0o755,
    });
    await reportDrySoil({ PATH: `${programs}:${env.PATH}` });
    expect(runs()).toEqual(['on disk', '150']);
  });

  test('a command whose id cannot be stored does not run the pump', async () => {
    const known = path.join(env.STATE_DIR ?? '', 'known');
    await reportDrySoil({ SENSOR: sensorOf(`rm -r '${known}'; mkdir '${known}'; echo 20.5`) });
    expect(runs()).toEqual([]);
    expect(await commands()).toEqual([{ status: 'issued', reported_ml: null }]);
  });

  test('a report that could not be sent is repeated, and its watering counts once', async () => {
    await reportDrySoil();
    expect(await report({ SPRIG_URL: 'http://127.0.0.1:1' })).not.toBe(0);
    expect(await pot.waterings()).toEqual([]);
    for (let i = 0; i < 2; i += 1) expect(await report()).toBe(0);
    expect(await pot.waterings()).toHaveLength(1);
    expect(runs()).toEqual(['150']);
  });

  test('readings of an outage arrive with the next report, and a rejected one delays no other', async () => {
    const down = { SPRIG_URL: 'http://127.0.0.1:1' };
    const soils = ['50', '101', '52'];
    for (const soil of soils) expect(await report({ ...down, SENSOR: `echo ${soil}` })).not.toBe(0);
    const waiting = path.join(env.STATE_DIR ?? '', 'waiting');
    // Dates the readings a minute apart.
    const dated = fs
      .readFileSync(waiting, 'utf8')
      .trim()
      .split('\n')
      .map((line, n) => line.replace(/"timestamp":"[^"]*"/, `"timestamp":"${at(-4 + n)}"`));
    fs.writeFileSync(waiting, `${dated.join('\n')}\n`);
    expect(await report({ SENSOR: 'echo 53' })).toBe(0);
    const readings = (await pot.request('GET', `/api/logs/plant/${pot.id}`)).json();
    const soil = readings.map((reading: ReadingLog) => reading.soil_humidity);
    expect(soil).toEqual([53, 52, 50]);
    expect(readings[2].timestamp).toBe(at(-4));
    expect(fs.readFileSync(waiting, 'utf8')).toBe('');
  });

  test.each([
    ['nothing', 'true'],
    ['no number', 'echo nan'],
    ['two lines', 'echo 20; echo 21'],
    ['a number that JSON does not know', 'echo .5'],
  ])(
    'if the sensor prints %s once, no reading is stored for it and no other reading is delayed',
    async (_, program) => {
      await keepOne();
      expect(await report({ SENSOR: sensorOf(program) })).not.toBe(0);
      expect(await report({ SENSOR: 'echo 52.25' })).toBe(0);
      expect(await storedSoil()).toEqual([52.25, 50]);
    },
  );

  test('stored readings are kept if they cannot be copied, for example because the disk is full', async () => {
    await keepOne();
    const programs = path.dirname(pumped);
    fs.writeFileSync(path.join(programs, 'tail'), '#!/bin/sh\nexit 1', { mode: 0o755 });
    expect(await report({ PATH: `${programs}:${env.PATH}` })).not.toBe(0);
    fs.rmSync(path.join(programs, 'tail'));
    expect(await report({ SENSOR: 'echo 52' })).toBe(0);
    expect(await storedSoil()).toContain(50);
  });

  test.each([
    [301, '', 'the server redirects (301); SPRIG_URL must be its https URL'],
    [308, '', 'the server redirects (308); SPRIG_URL must be its https URL'],
    [200, '<!doctype html><p>Sign in to this network</p>', 'the response is not from Sprig'],
    [204, '', 'the server responded with 204'],
    [503, '{"message":"Busy"}', 'the server responded with 503'],
  ])(
    'after a response with status %i and the body %j the readings are kept',
    async (status, body, words) => {
      await keepOne();
      const SPRIG_URL = await serverThatSends(status, body);
      expect(await report({ SPRIG_URL, SENSOR: 'echo 51' })).toBe(1);
      expect(stderr).toContain(words);
      expect(fs.readFileSync(waitingFile(), 'utf8')).toMatch(/":50\n.*":51\n$/);
      expect(await report({ SENSOR: 'echo 52' })).toBe(0);
      expect(await storedSoil()).toContain(50);
    },
  );

  test('a negative value of the sensor delays no stored reading', async () => {
    await keepOne();
    expect(await report({ SENSOR: 'echo -0.5' })).toBe(0);
    expect(await storedSoil()).toEqual([50]);
  });

  test('stored lines that are not valid readings delay no reading', async () => {
    await keepOne();
    const broken = [`{"timestamp":"${at(-3)}","soil_humidity":`, `{"timestamp":"${at(-2)}`, '21'];
    fs.appendFileSync(waitingFile(), `${broken.join('\n')}\n`);
    expect(await report({ SENSOR: 'echo 52' })).toBe(0);
    expect(await storedSoil()).toEqual([52, 50]);
  });

  test('a run that starts while another one is not over reads no sensor, and neither loses a reading', async () => {
    const [read, go] = [`${pumped}-read`, `${pumped}-go`];
    const slow = sensorOf(`echo >'${read}'; until [ -e '${go}' ]; do sleep 0.02; done; echo 50`);
    const first = report({ SENSOR: slow });
    await expect.poll(() => fs.existsSync(read)).toBe(true);
    expect(await report({ SENSOR: 'echo 51' })).toBe(1);
    expect(stderr).toContain('another run has not ended yet');
    fs.writeFileSync(go, '');
    expect(await first).toBe(0);
    expect(await storedSoil()).toEqual([50]);
    expect(fs.readFileSync(waitingFile(), 'utf8')).toBe('');
  });

  test('a run that is ended by a signal does not prevent the next one', async () => {
    const pidFile = `${pumped}-pid`;
    const ending = `until [ -s '${pidFile}' ]; do sleep 0.02; done; kill "$(cat '${pidFile}')"; echo 50`;
    const code = await report({ SENSOR: sensorOf(ending) }, (pid) =>
      fs.writeFileSync(pidFile, String(pid)),
    );
    expect(code).not.toBe(0);
    expect(await report({ SENSOR: 'echo 51' })).toBe(0);
    expect(await storedSoil()).toEqual([51]);
  });

  test('a run that a power cut ended prevents others for 15 minutes only', async () => {
    const lock = path.join(env.STATE_DIR ?? '', 'lock');
    fs.mkdirSync(lock, { recursive: true });
    expect(await report()).toBe(1);
    const longAgo = new Date(Date.now() - 16.5 * minuteMs);
    fs.utimesSync(lock, longAgo, longAgo);
    expect(await report({ SENSOR: 'echo 51' })).toBe(0);
    expect(fs.existsSync(lock)).toBe(false);
    expect(await storedSoil()).toEqual([51]);
  });

  test('an expired command is not run and is reported as failed with 0 ml', async () => {
    // The server's clock is behind, so a command has already expired by the device's clock when it arrives.
    server.clock.advance(-3 * minuteMs);
    try {
      await reportDrySoil();
      expect(await report()).toBe(0);
      expect(runs()).toEqual([]);
      // Since no water ran, the server may issue another command.
      expect(await commands()).toEqual([
        { status: 'failed', reported_ml: 0 },
        { status: 'issued', reported_ml: null },
      ]);
      expect(await pot.waterings()).toEqual([]);
    } finally {
      server.clock.advance(3 * minuteMs);
    }
  });

  test('a command whose pump fails is reported as failed without an amount, and no watering is recorded', async () => {
    await reportDrySoil({ PUMP: 'false' });
    expect(await report()).toBe(0);
    expect(await commands()).toEqual([{ status: 'failed', reported_ml: null }]);
    expect(await pot.waterings()).toEqual([]);
  });

  test('with an unknown token or a failing sensor the script exits with an error and the server stores no reading', async () => {
    expect(await report({ SPRIG_TOKEN: `sprig_${'x'.repeat(43)}` })).not.toBe(0);
    expect(await report({ SENSOR: 'false' })).not.toBe(0);
    const readings = await pot.request('GET', `/api/logs/plant/${pot.id}`);
    expect(readings.json()).toEqual([]);
  });

  test('a device whose token is rejected stops and keeps its reading on the disk', async () => {
    const revoked = { SPRIG_TOKEN: `sprig_${'x'.repeat(43)}`, EVERY_SECONDS: '0.1' };
    const child = spawn('sh', [script], { env: { ...env, ...revoked }, stdio: 'ignore' });
    onTestFinished(() => void child.kill());
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(fs.readFileSync(waitingFile(), 'utf8')).toMatch(/"soil_humidity":20.5\n$/);
  });
});
