import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import { outputWhenReady } from '../../support/server/server-process.ts';
import { demo } from '../support/screens/garden.ts';
import { freePort } from '../support/server/app-server.ts';

let dataDir: string;
beforeAll(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-start-'));
  fs.chmodSync(dataDir, 0o755);
});
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

/** `npm start` itself, as a person runs it. */
function npmStart(env: Record<string, string>): ChildProcess {
  const { DATABASE_URL: _, JWT_SECRET: __, ...inherited } = process.env;
  return spawn('npm', ['--silent', 'start'], {
    cwd: projectRoot,
    env: { ...inherited, DATA_DIR: dataDir, ...env },
  });
}

async function exitOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('npm start prints the URL and the demo account, ends cleanly on SIGTERM, and keeps its data', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const first = npmStart({ PORT: String(port) });
  const output = await outputWhenReady(first);
  expect(output).toContain(`Sprig is ready at ${url}`);
  expect(output).toContain(`${demo.email} / ${demo.password}`);
  expect(output).toContain(dataDir);
  const token = await login(url);
  const plants = await fetch(`${url}/api/plants`, { headers: { authorization: token } });
  expect(await plants.json()).toHaveLength(12);
  first.kill('SIGTERM');
  expect((await exitOf(first)).code).toBe(0);

  const second = npmStart({ PORT: String(port) });
  await outputWhenReady(second);
  const again = await fetch(`${url}/api/plants`, { headers: { authorization: token } });
  expect(again.status).toBe(200);
  second.kill('SIGTERM');
  await exitOf(second);
});

async function login(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username_or_email: demo.email, password: demo.password }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return `Bearer ${access_token}`;
}

test('a port in use is reported in one line with exit code 1', async () => {
  const blocker = net.createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as net.AddressInfo;
  const { code, output } = await exitOf(npmStart({ PORT: String(port) }));
  blocker.close();
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    `Sprig could not start: port ${port} is in use; set PORT to another one`,
  );
});

test('an invalid setting is reported by name, without a stack trace', async () => {
  const { code, output } = await exitOf(npmStart({ PORT: 'eighty' }));
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    'Sprig could not start: the configuration is wrong: PORT must be a number from 0 to 65535',
  );
});
