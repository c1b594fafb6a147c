import net from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import { emailProblem } from '#domain/account.ts';

export interface Config {
  port: number;
  host: string;
  /** Absolute path: embedded database, generated secrets, mails. */
  dataDir: string;
  /** null: the embedded PostgreSQL in dataDir. */
  databaseUrl: string | null;
  /** After so long a statement is given up; 0: never. */
  queryTimeoutMs: number;
  /** null: made once and kept in dataDir; never null with databaseUrl. */
  jwtSecret: string | null;
  demo: boolean;
  /** null: mails become files in dataDir. May hold a password: never to be shown. */
  smtpUrl: string | null;
  /** null: made of smtpUrl or publicUrl. */
  mailFrom: string | null;
  /** Where people reach the server, without a slash at the end; null: at the address that it listens on. */
  publicUrl: string | null;
  /** Sign-ins, registrations and reset requests per account and address in 15 minutes; 0: no limit. */
  authRateLimit: number;
  /** Whose forwarding headers are believed: nobody's, a number of proxies, or their addresses. */
  trustProxy: number | string[];
  /** Origins that may call the API from another host. */
  corsOrigins: string[];
}

/** What is wrong with the environment, in words for the console. */
export class ConfigError extends Error {}

const longestTimeoutMs = 600_000;
const timeoutComplaint = `must be a number of milliseconds up to ${longestTimeoutMs}, 0 for no limit`;
const proxyComplaint = 'must be a number of proxies or their addresses, divided by commas';
const originComplaint = 'must be origins like https://plants.example.org, divided by commas';
const loopbackHosts = ['127.0.0.1', '::1', 'localhost'];

const environment = v.object({
  PORT: v.optional(wholeNumber('must be a number from 0 to 65535', 65_535), '3000'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), './data'),
  DATABASE_URL: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must start with postgres://')),
  ),
  QUERY_TIMEOUT_MS: v.optional(wholeNumber(timeoutComplaint, longestTimeoutMs), '10000'),
  JWT_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
  DEMO: v.optional(v.picklist(['0', '1'], 'must be 0 or 1')),
  SMTP_URL: v.optional(
    address(/^smtps?:\/\//, 'must be an address that starts with smtp:// or smtps://'),
  ),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check((typed) => !emailProblem(typed), 'must be an email address'),
    ),
  ),
  PUBLIC_URL: v.optional(
    v.pipe(
      address(/^https?:\/\/[^?#@]+$/, 'must be an address like https://plants.example.org'),
      v.transform((url) => url.replace(/\/+$/, '')),
    ),
  ),
  AUTH_RATE_LIMIT: v.optional(wholeNumber('must be a number, 0 for no limit'), '10'),
  TRUST_PROXY: v.optional(
    v.pipe(v.string(), v.transform(proxies), v.check(areProxies, proxyComplaint)),
    '0',
  ),
  CORS_ORIGIN: v.optional(
    v.pipe(
      v.string(),
      v.transform(listed),
      v.check((origins) => origins.every(isOrigin), originComplaint),
    ),
    '',
  ),
});

/** Reads and checks the environment once; throws a ConfigError that names every wrong setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = v.safeParse(environment, withoutBlanks(env));
  if (!parsed.success) {
    const problems = parsed.issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`);
    throw new ConfigError(problems.join('; '));
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, JWT_SECRET, DEMO } = parsed.output;
  const { QUERY_TIMEOUT_MS, SMTP_URL, MAIL_FROM, PUBLIC_URL } = parsed.output;
  const { AUTH_RATE_LIMIT, TRUST_PROXY, CORS_ORIGIN } = parsed.output;
  if (DATABASE_URL && !JWT_SECRET) {
    throw new ConfigError('JWT_SECRET is required with DATABASE_URL');
  }
  return {
    port: PORT,
    host: HOST,
    dataDir: path.resolve(DATA_DIR),
    databaseUrl: DATABASE_URL ?? null,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    jwtSecret: JWT_SECRET ?? null,
    demo: DEMO ? DEMO === '1' : !DATABASE_URL && loopbackHosts.includes(HOST),
    smtpUrl: SMTP_URL ?? null,
    mailFrom: MAIL_FROM ?? null,
    publicUrl: PUBLIC_URL ?? null,
    authRateLimit: AUTH_RATE_LIMIT,
    trustProxy: TRUST_PROXY,
    corsOrigins: CORS_ORIGIN,
  };
}

function wholeNumber(complaint: string, most = Number.MAX_SAFE_INTEGER) {
  return v.pipe(v.string(), v.digits(complaint), v.transform(Number), v.maxValue(most, complaint));
}

function address(shape: RegExp, complaint: string) {
  return v.pipe(v.string(), v.trim(), v.regex(shape, complaint), v.check(isReadable, complaint));
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function proxies(text: string): number | string[] {
  return /^\d+$/.test(text.trim()) ? Number(text) : listed(text);
}

/** Also the names that Fastify knows: loopback, linklocal, uniquelocal. */
function areProxies(value: number | string[]): boolean {
  if (typeof value === 'number') return true;
  return value.every((part) => {
    const [ip = '', bits, ...rest] = part.split('/');
    if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true;
    const longest = net.isIPv6(ip) ? 128 : 32;
    const isMask = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
    return net.isIP(ip) !== 0 && isMask && rest.length === 0;
  });
}

/** As browsers send it: scheme, host and port, nothing else. */
function isOrigin(text: string): boolean {
  try {
    return /^https?:/.test(text) && new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** A stray % in a password makes an address that only half of its readers understand. */
function isReadable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return new URL(url).host !== '';
  } catch {
    return false;
  }
}

/** `PORT= npm start` means the default, as in every shell script that passes settings on. */
function withoutBlanks(env: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
