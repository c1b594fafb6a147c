import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/start/config.ts';

const secret = 'x'.repeat(32);
const url = 'postgres://somebody@localhost/plants';

test('without any setting the server listens on loopback only, with the embedded database and the demo', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: path.resolve('data'),
    databaseUrl: null,
    queryTimeoutMs: 10_000,
    jwtSecret: null,
    demo: true,
    isLocal: true,
    smtpUrl: null,
    mailFrom: null,
    publicUrl: null,
    authRateLimit: 10,
    liveStreams: 5_000,
    maxRequests: 100,
    maxPhotoBytes: 2_097_152,
    maxPhotos: 1_000,
    readingsDays: 400,
    trustProxy: 0,
    corsOrigins: [],
    pushOrigins: [],
    allowsPrivateNtfy: false,
    isAfterRestore: false,
  });
});

test.each([
  ['https://plants.example.org', 'https://plants.example.org'],
  ['https://example.org/plants//', 'https://example.org/plants'],
  ['https://植物.example', 'https://xn--z3vq3r.example'],
])('the PUBLIC_URL %s becomes %s, which can be sent in headers', (given, used) => {
  expect(readConfig({ PUBLIC_URL: given, JWT_SECRET: secret }).publicUrl).toBe(used);
});

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ HOST: 'localhost' }, true],
  [{ HOST: '::1' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '0.0.0.0', DEMO: '1' }, true],
  [{ DEMO: '0' }, false],
  [{ PUBLIC_URL: 'https://plants.example.org' }, false],
  [{ PUBLIC_URL: 'https://plants.example.org', DEMO: '1' }, true],
  [{ TRUST_PROXY: '1' }, false],
  [{ DATABASE_URL: url, JWT_SECRET: secret }, false],
])('with %j the demo account exists: %s', (env, demo) => {
  expect(readConfig(env).demo).toBe(demo);
});

test.each<[string, number | string[]]>([
  ['0', 0],
  ['1', 1],
  [' 2 ', 2],
  ['10.0.0.1', ['10.0.0.1']],
  ['10.0.0.0/8, 2001:db8::/32 ,loopback', ['10.0.0.0/8', '2001:db8::/32', 'loopback']],
])('TRUST_PROXY=%s is read as %j', (value, trustProxy) => {
  expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(trustProxy);
});

test.each([
  ['https://plants.example.org', ['https://plants.example.org']],
  [
    'https://plants.example.org, http://localhost:5173,',
    ['https://plants.example.org', 'http://localhost:5173'],
  ],
])('CORS_ORIGIN=%s opens the API to %j', (value, corsOrigins) => {
  expect(readConfig({ CORS_ORIGIN: value }).corsOrigins).toEqual(corsOrigins);
});

test.each([
  ['push.example.org', ['https://push.example.org']],
  [
    'http://127.0.0.1:8099, push.example.org:8443',
    ['http://127.0.0.1:8099', 'https://push.example.org:8443'],
  ],
])('PUSH_HOSTS=%s allows %j', (value, pushOrigins) => {
  expect(readConfig({ PUSH_HOSTS: value }).pushOrigins).toEqual(pushOrigins);
});

test('MAX_PHOTO_BYTES and MAX_PHOTOS allow larger and more photos than by default', () => {
  const config = readConfig({ MAX_PHOTO_BYTES: '5000000', MAX_PHOTOS: '20000' });
  expect(config).toMatchObject({ maxPhotoBytes: 5_000_000, maxPhotos: 20_000 });
});

test.each([
  ['0', 0],
  ['25', 25],
])('AUTH_RATE_LIMIT=%s is accepted and read as %d', (value, authRateLimit) => {
  expect(readConfig({ AUTH_RATE_LIMIT: value }).authRateLimit).toBe(authRateLimit);
});

test.each([
  ['0', 0],
  ['2500', 2_500],
])('QUERY_TIMEOUT_MS=%s is accepted and read as %d', (value, queryTimeoutMs) => {
  expect(readConfig({ QUERY_TIMEOUT_MS: value }).queryTimeoutMs).toBe(queryTimeoutMs);
});

test.each([
  ['0', 0],
  ['20000', 20_000],
])('LIVE_STREAMS=%s allows %d streams', (value, liveStreams) => {
  expect(readConfig({ LIVE_STREAMS: value }).liveStreams).toBe(liveStreams);
});

test.each([
  ['0', 0],
  ['5', 5],
  ['64', 64],
])('MAX_REQUESTS=%s is accepted and read as %d', (value, maxRequests) => {
  expect(readConfig({ MAX_REQUESTS: value }).maxRequests).toBe(maxRequests);
});

test.each([
  ['0', 0],
  ['30', 30],
])('READINGS_DAYS=%s is accepted and read as %d', (value, readingsDays) => {
  expect(readConfig({ READINGS_DAYS: value }).readingsDays).toBe(readingsDays);
});

test('an empty setting means the default', () => {
  expect(readConfig({ PORT: '', HOST: '', DATABASE_URL: '' })).toEqual(readConfig({}));
});

test.each<[Record<string, string>, RegExp]>([
  [{ PORT: 'eighty' }, /^PORT must be a number/],
  [{ PORT: '65536' }, /^PORT must be a number/],
  [{ PORT: '-1' }, /^PORT must be a number/],
  [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be a URL like postgres/],
  [{ DATABASE_URL: url }, /^JWT_SECRET is required/],
  [{ JWT_SECRET: 'short' }, /^JWT_SECRET must have 32/],
  [{ DEMO: 'yes' }, /^DEMO must be 0 or 1/],
  [{ MAX_REQUESTS: 'many' }, /^MAX_REQUESTS must be a number, 5 or more, 0 for no limit$/],
  [{ MAX_REQUESTS: '4' }, /^MAX_REQUESTS must be a number, 5 or more/],
  [{ MAX_PHOTO_BYTES: '2M' }, /^MAX_PHOTO_BYTES must be a number of bytes up to 20971520$/],
  [{ MAX_PHOTOS: '-1' }, /^MAX_PHOTOS must be a number$/],
  [{ READINGS_DAYS: 'all' }, /^READINGS_DAYS must be a number of days/],
  [{ TRUST_PROXY: 'yes' }, /^TRUST_PROXY must be a number of proxies or their addresses/],
  [{ TRUST_PROXY: '-1' }, /^TRUST_PROXY must be/],
  [{ TRUST_PROXY: '10.0.0.1, somewhere' }, /^TRUST_PROXY must be/],
  [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY must be/],
  [{ TRUST_PROXY: '10.0.0.0/8/8' }, /^TRUST_PROXY must be/],
  [{ CORS_ORIGIN: '*' }, /^CORS_ORIGIN must be origins like https/],
  [{ CORS_ORIGIN: 'plants.example.org' }, /^CORS_ORIGIN must be/],
  [{ CORS_ORIGIN: 'https://plants.example.org/' }, /^CORS_ORIGIN must be/],
  [{ CORS_ORIGIN: 'https://a.example.org,https://b.example.org/app' }, /^CORS_ORIGIN must be/],
  [{ CORS_ORIGIN: 'https://Plants.example.org' }, /^CORS_ORIGIN must be/],
  [{ CORS_ORIGIN: 'https://plants.example.org:443' }, /^CORS_ORIGIN must be/],
  [{ CORS_ORIGIN: 'file:///plants' }, /^CORS_ORIGIN must be/],
  [{ AUTH_RATE_LIMIT: 'many' }, /^AUTH_RATE_LIMIT must be a number, 0 for no limit/],
  [{ AUTH_RATE_LIMIT: '-1' }, /^AUTH_RATE_LIMIT must be/],
  [{ AUTH_RATE_LIMIT: '1.5' }, /^AUTH_RATE_LIMIT must be/],
  [{ QUERY_TIMEOUT_MS: 'ten' }, /^QUERY_TIMEOUT_MS must be a number of milliseconds/],
  [{ QUERY_TIMEOUT_MS: '-1' }, /^QUERY_TIMEOUT_MS must be/],
  [{ QUERY_TIMEOUT_MS: '600001' }, /^QUERY_TIMEOUT_MS must be/],
  [{ PORT: 'x', DEMO: 'y' }, /PORT .*; DEMO /],
])('%j is rejected with a message that names the setting', (env, message) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(message);
});

test('an error message never repeats a secret', () => {
  const read = () => readConfig({ JWT_SECRET: 'hunter2', DATABASE_URL: 'x://me:hunter2@db' });
  expect(read).toThrow(ConfigError);
  expect(read).not.toThrow(/hunter2/);
});

test.each([
  ['a # in the password', 'postgres://sprig:a#b@db.example.org/sprig'],
  ['a / in the password', 'postgres://sprig:a/b@db.example.org/sprig'],
  ['a % in the password', 'postgres://sprig:50%ff@db.example.org/sprig'],
  ['a port that is no number', 'postgres://sprig:rose@db.example.org:port/sprig'],
])(
  'a DATABASE_URL with %s is reported by the name of the setting and without the URL',
  (_, given) => {
    const read = () => readConfig({ DATABASE_URL: given, JWT_SECRET: secret });
    expect(read).toThrow(/^DATABASE_URL must be a URL like postgres:.* as %23/);
    expect(read).not.toThrow(/db\.example\.org/);
  },
);

test.each([
  'postgres:///sprig?host=/var/run/postgresql',
  'postgresql://sprig:a%23b@db.example.org:5433/sprig?application_name=sprig',
  'postgres://sprig:50%off@db.example.org/sprig',
])('DATABASE_URL=%s is accepted', (given) => {
  expect(readConfig({ DATABASE_URL: given, JWT_SECRET: secret }).databaseUrl).toBe(given);
});
