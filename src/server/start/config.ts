import net from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import { emailProblem } from '#domain/account.ts';
import { photoLimits } from '#domain/journal/photo.ts';
import { databaseUrlForm, isDatabaseUrl } from '../database/database-url.ts';
import { operationsAtOnce } from '../http/batch/run-operations.ts';

export interface Config {
  port: number;
  host: string;
  /** Absolute path; contains the embedded database, the generated secret and emails. */
  dataDir: string;
  /** null for the embedded PostgreSQL in dataDir. */
  databaseUrl: string | null;
  /** How long a statement may take; 0 for no limit. */
  queryTimeoutMs: number;
  /** null to generate one and store it in dataDir; never null with databaseUrl. */
  jwtSecret: string | null;
  demo: boolean;
  /** Whether the server is for this machine only: HOST is loopback, and PUBLIC_URL and TRUST_PROXY are not set. */
  isLocal: boolean;
  /** null to write emails to files in dataDir. May contain a password, so never print it. */
  smtpUrl: string | null;
  /** null to derive it from smtpUrl or publicUrl. */
  mailFrom: string | null;
  /** The server's public URL, without a trailing slash; null for the URL it listens on. */
  publicUrl: string | null;
  /** Attempts of one kind (LimitedCall), such as sign-ins, per account and IP address in 15 minutes; 0 for no limit. */
  authRateLimit: number;
  /** Maximum number of live streams of this process; 0 switches them off. */
  liveStreams: number;
  /** Maximum number of requests in progress, beyond which this process refuses requests; 5 or more, 0 for no limit. */
  maxRequests: number;
  /** Maximum number of bytes of a photo. */
  maxPhotoBytes: number;
  /** Maximum number of photos of an account. */
  maxPhotos: number;
  /** How many days readings are kept; 0: forever. */
  readingsDays: number;
  /** Proxies whose forwarding headers are trusted: their number (0 for none) or their IP addresses. */
  trustProxy: number | string[];
  /** Other origins whose pages may call the API. */
  corsOrigins: string[];
  /** Origins of push services besides the known ones. */
  pushOrigins: string[];
  /** Whether ntfy topics may be in private networks. */
  allowsPrivateNtfy: boolean;
  /** The database was restored from a backup since the last start. */
  isAfterRestore: boolean;
}

/** The message lists every invalid setting, for the console. */
export class ConfigError extends Error {}

const maxTimeoutMs = 600_000;
const timeoutMessage = `must be a number of milliseconds up to ${maxTimeoutMs}, 0 for no limit`;
/** A batch and each of its operations in progress counts as one. With a lower limit, no batch could be completed. */
const minRequests = 1 + operationsAtOnce;
const requestsMessage = `must be a number, ${minRequests} or more, 0 for no limit`;
const maxPhotoBytes = 20 * 1024 * 1024;
const photoMessage = `must be a number of bytes up to ${maxPhotoBytes}`;
const proxyMessage = 'must be a number of proxies or their addresses, separated by commas';
const originMessage = 'must be origins like https://plants.example.org, separated by commas';
const pushMessage = 'must be hosts like push.example.org, or origins, separated by commas';
const loopbackHosts = ['127.0.0.1', '::1', 'localhost'];

const environment = v.object({
  PORT: v.optional(wholeNumber('must be a number from 0 to 65535', 65_535), '3000'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), './data'),
  DATABASE_URL: v.optional(
    v.pipe(v.string(), v.trim(), v.check(isDatabaseUrl, `must be ${databaseUrlForm}`)),
  ),
  QUERY_TIMEOUT_MS: v.optional(wholeNumber(timeoutMessage, maxTimeoutMs), '10000'),
  JWT_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
  DEMO: v.optional(v.picklist(['0', '1'], 'must be 0 or 1')),
  SMTP_URL: v.optional(
    urlText(/^smtps?:\/\//, 'must be a URL that starts with smtp:// or smtps://'),
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
      urlText(/^https?:\/\/[^?#@]+$/, 'must be a URL like https://plants.example.org'),
      // Encodes letters outside of ASCII, because the URL is sent in headers.
      v.transform((url) => new URL(url).href.replace(/\/+$/, '')),
    ),
  ),
  AUTH_RATE_LIMIT: v.optional(wholeNumber('must be a number, 0 for no limit'), '10'),
  LIVE_STREAMS: v.optional(wholeNumber('must be a number, 0 for none'), '5000'),
  MAX_REQUESTS: v.optional(
    v.pipe(
      wholeNumber(requestsMessage),
      v.check((count) => count === 0 || count >= minRequests, requestsMessage),
    ),
    '100',
  ),
  MAX_PHOTO_BYTES: v.optional(wholeNumber(photoMessage, maxPhotoBytes), String(photoLimits.bytes)),
  MAX_PHOTOS: v.optional(wholeNumber('must be a number'), String(photoLimits.count)),
  READINGS_DAYS: v.optional(
    wholeNumber('must be a number of days, 0 to keep them forever', 36_500),
    '400',
  ),
  TRUST_PROXY: v.optional(
    v.pipe(v.string(), v.transform(proxies), v.check(areProxies, proxyMessage)),
    '0',
  ),
  PUSH_HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => splitList(text).map(originOf)),
      v.check((origins) => origins.every(isOrigin), pushMessage),
    ),
    '',
  ),
  NTFY_PRIVATE: v.optional(v.picklist(['0', '1'], 'must be 0 or 1'), '0'),
  AFTER_RESTORE: v.optional(v.picklist(['0', '1'], 'must be 0 or 1'), '0'),
  CORS_ORIGIN: v.optional(
    v.pipe(
      v.string(),
      v.transform(splitList),
      v.check((origins) => origins.every(isOrigin), originMessage),
    ),
    '',
  ),
});

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(environment.entries);

/** Reads and validates the environment. Throws a ConfigError that names every invalid setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = v.safeParse(environment, withoutBlanks(env));
  if (!parsed.success) {
    const problems = parsed.issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`);
    throw new ConfigError(problems.join('; '));
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, JWT_SECRET, DEMO } = parsed.output;
  const { QUERY_TIMEOUT_MS, SMTP_URL, MAIL_FROM, PUBLIC_URL } = parsed.output;
  const { AUTH_RATE_LIMIT, LIVE_STREAMS, MAX_REQUESTS, READINGS_DAYS } = parsed.output;
  const { TRUST_PROXY, CORS_ORIGIN, MAX_PHOTO_BYTES, MAX_PHOTOS } = parsed.output;
  const { PUSH_HOSTS, NTFY_PRIVATE, AFTER_RESTORE } = parsed.output;
  if (DATABASE_URL && !JWT_SECRET) {
    throw new ConfigError('JWT_SECRET is required with DATABASE_URL');
  }
  // With PUBLIC_URL or TRUST_PROXY others reach the server through a proxy.
  const isLocal = PUBLIC_URL === undefined && TRUST_PROXY === 0 && loopbackHosts.includes(HOST);
  return {
    port: PORT,
    host: HOST,
    dataDir: path.resolve(DATA_DIR),
    databaseUrl: DATABASE_URL ?? null,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    jwtSecret: JWT_SECRET ?? null,
    // The password of the demo account is published.
    demo: DEMO ? DEMO === '1' : !DATABASE_URL && isLocal,
    isLocal,
    smtpUrl: SMTP_URL ?? null,
    mailFrom: MAIL_FROM ?? null,
    publicUrl: PUBLIC_URL ?? null,
    authRateLimit: AUTH_RATE_LIMIT,
    liveStreams: LIVE_STREAMS,
    maxRequests: MAX_REQUESTS,
    maxPhotoBytes: MAX_PHOTO_BYTES,
    maxPhotos: MAX_PHOTOS,
    readingsDays: READINGS_DAYS,
    trustProxy: TRUST_PROXY,
    corsOrigins: CORS_ORIGIN,
    pushOrigins: PUSH_HOSTS,
    allowsPrivateNtfy: NTFY_PRIVATE === '1',
    isAfterRestore: AFTER_RESTORE === '1',
  };
}

function wholeNumber(message: string, max = Number.MAX_SAFE_INTEGER) {
  return v.pipe(v.string(), v.digits(message), v.transform(Number), v.maxValue(max, message));
}

function urlText(pattern: RegExp, message: string) {
  return v.pipe(v.string(), v.trim(), v.regex(pattern, message), v.check(isParsable, message));
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A host without a scheme becomes an https origin; other texts are returned unchanged. */
function originOf(part: string): string {
  return part.includes('://') ? part : `https://${part}`;
}

function proxies(text: string): number | string[] {
  return /^\d+$/.test(text.trim()) ? Number(text) : splitList(text);
}

/**
 * Whether the value is a number of proxies, or a list of IP addresses and of Fastify's names loopback, linklocal and
 * uniquelocal. An address may have a prefix length.
 */
function areProxies(value: number | string[]): boolean {
  if (typeof value === 'number') return true;
  return value.every((part) => {
    const [ip = '', bits, ...rest] = part.split('/');
    if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true;
    const maxBits = net.isIPv6(ip) ? 128 : 32;
    const isMask = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
    return net.isIP(ip) !== 0 && isMask && rest.length === 0;
  });
}

/** Whether it is an origin as browsers send it: scheme, host and port only. */
function isOrigin(text: string): boolean {
  try {
    return /^https?:/.test(text) && new URL(text).origin === text;
  } catch {
    return false;
  }
}

/**
 * Whether the URL can be parsed and has a host. A % that is not part of an escape is rejected too, because some
 * libraries decode the password.
 */
function isParsable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return new URL(url).host !== '';
  } catch {
    return false;
  }
}

/** Drops empty variables, which mean the default, so that scripts can pass on unset settings. */
function withoutBlanks(env: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
