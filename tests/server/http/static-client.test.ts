import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testClock } from '../../support/server/clock.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';

const files = {
  'index.html': '<!doctype html><title>The shell</title>',
  'sw.js': '/* worker */',
  'assets/index-abc.js': '/* app */',
};

let server: TestServer;
let clientDir: string;
beforeAll(async () => {
  clientDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-client-'));
  fs.mkdirSync(path.join(clientDir, 'assets'));
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(clientDir, name), text);
  }
  server = await openTestServer(testClock(), { clientDir });
});
afterAll(async () => {
  await server.close();
  fs.rmSync(clientDir, { recursive: true });
});

test.each(['/', '/signin', '/dashboard', '/dashboard/articles/winter-plant-care', '/no/such/page'])(
  '%s gets index.html, which is revalidated each time',
  async (url) => {
    const response = await server.app.inject({ url });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(files['index.html']);
    expect(response.headers['cache-control']).toBe('no-cache');
  },
);

test('hashed assets are cached for a year, the service worker is always revalidated', async () => {
  const asset = await server.app.inject({ url: '/assets/index-abc.js' });
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const worker = await server.app.inject({ url: '/sw.js' });
  expect(worker.headers['cache-control']).toBe('no-cache');
});

test.each([
  ['/', 'index.html'],
  ['/signin', 'index.html'],
  ['/dashboard', 'index.html'],
  ['/sw.js', 'sw.js'],
] as const)(
  '%s is sent in full if its content has changed but its size and time have not',
  async (url, name) => {
    const file = path.join(clientDir, name);
    const time = new Date('2026-01-01T00:00:00Z');
    fs.utimesSync(file, time, time);
    const { headers } = await server.app.inject({ url });
    const again = () =>
      server.app.inject({
        url,
        headers: {
          'if-none-match': String(headers.etag),
          ...(headers['last-modified'] && { 'if-modified-since': headers['last-modified'] }),
        },
      });
    const unchanged = await again();
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
    const changed = files[name].replace('e', 'E');
    fs.writeFileSync(file, changed);
    fs.utimesSync(file, time, time);
    onTestFinished(() => fs.writeFileSync(file, files[name]));
    const response = await again();
    expect([response.statusCode, response.body]).toEqual([200, changed]);
  },
);

test('the HSTS header covers this host only, since subdomains may be other programs', async () => {
  const { headers } = await server.app.inject({ url: '/' });
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

test.each(['/%', '/dashboard/100%', '/%F0%9F'])(
  'a browser with a URL that cannot be decoded is redirected to /: %s',
  async (url) => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const response = await server.app.inject({ url, headers });
    expect([response.statusCode, response.headers.location]).toEqual([302, '/']);
  },
);

test.each([
  '/api/nothing',
  '/healthz/',
  '/auth/nothing',
  '/calendar/none.ics',
  '/assets/index-old.js',
  '/favicon.ico',
])('%s never gets index.html', async (url) => {
  const response = await server.app.inject({ url });
  expect(response.statusCode).toBe(404);
  expect(response.body).not.toContain('The shell');
});

test.each(['/john.doe', '/dashboard/articles/a.b', '/index.php'])(
  'a browser that opens %s gets the shell, which shows the screen of an unknown path',
  async (url) => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const response = await server.app.inject({ url, headers });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('The shell');
  },
);

test.each(['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json'])(
  'never serves a file outside the client folder: %s',
  async (url) => {
    expect((await server.app.inject({ url })).body).not.toContain('"name"');
  },
);

test.each(['/', '/healthz', '/api/plants'])('%s carries the security headers', async (url) => {
  const { headers } = await server.app.inject({ url });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  });
});
