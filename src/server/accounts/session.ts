import fastifyJwt from '@fastify/jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { forbidden, restrictDeviceTokens } from '../devices/device-access.ts';
import { looksLikeDeviceToken, redeemDeviceToken } from '../devices/queries.ts';
import { unauthorized } from '../http/api-error.ts';
import type { Clock } from '../http/app-deps.ts';

/** A signed-in person: the account and the session row, which signing out deletes. */
export interface PersonSession {
  userId: string;
  sessionId: string;
  deviceId: null;
}

/** A device that authenticated with its own token. */
interface DeviceSession {
  userId: string;
  sessionId: null;
  deviceId: string;
}

/** On whose behalf a request runs. */
export type Session = PersonSession | DeviceSession;

interface Claims {
  sub: string;
  sid: string;
  /** Seconds since 1970. Tokens that version 0.1 issued have none; they are valid until their session ends. */
  exp?: number;
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Claims;
    user: Claims;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session;
  }
}

/**
 * Sets request.session from the bearer token for every route registered on `app` afterwards; 401 without a valid one.
 */
export async function requireSession(app: FastifyInstance, db: Database, clock: Clock) {
  app.addHook('onRequest', async (request) => {
    const token = deviceTokenOf(request);
    request.session = token
      ? await deviceSession(db, token, clock())
      : await personSession(db, await readClaims(request), clock());
  });
  restrictDeviceTokens(app, db);
}

/** The session of a person. Throws a 403 for a device. */
export function requirePerson({ session }: FastifyRequest): PersonSession {
  if (session.deviceId !== null) throw forbidden();
  return session;
}

async function personSession(db: Database, claims: Claims, now: Date): Promise<PersonSession> {
  if (claims.exp !== undefined && claims.exp * 1_000 <= now.getTime()) throw unauthorized();
  const found = await db.pool.query({
    name: 'session',
    text: 'SELECT 1 FROM sessions WHERE user_id = $1 AND id = $2 AND expires_at > $3',
    values: [claims.sub, claims.sid, now],
  });
  if (found.rowCount === 0) throw unauthorized();
  return { userId: claims.sub, sessionId: claims.sid, deviceId: null };
}

async function deviceSession(db: Database, token: string, now: Date): Promise<DeviceSession> {
  const found = await redeemDeviceToken(db, token, now);
  if (!found) throw unauthorized();
  return { userId: found.userId, sessionId: null, deviceId: found.deviceId };
}

function deviceTokenOf({ headers }: FastifyRequest): string | null {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return looksLikeDeviceToken(token) ? token : null;
}

async function readClaims(request: FastifyRequest): Promise<Claims> {
  try {
    return await request.jwtVerify<Claims>();
  } catch {
    throw unauthorized();
  }
}

/** Registers signing and verification of tokens. Their expiry is checked above, against the injected clock. */
export async function registerTokens(app: FastifyInstance, secret: string): Promise<void> {
  await app.register(fastifyJwt, {
    secret,
    sign: { algorithm: 'HS256' },
    verify: { algorithms: ['HS256'], ignoreExpiration: true },
  });
}
