import fastifyJwt from '@fastify/jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { unauthorized } from './api-error.ts';

/** Who a request acts for: the account and the session row that a logout removes. */
export interface Session {
  userId: string;
  sessionId: string;
}

interface Claims {
  sub: string;
  sid: string;
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

/** Makes request.session of the bearer token, for every route registered on `app` after this. */
export async function requireSession(app: FastifyInstance, db: Database, clock: Clock) {
  app.addHook('onRequest', async (request) => {
    const claims = await readToken(request);
    const found = await db.pool.query({
      name: 'session',
      text: 'SELECT 1 FROM sessions WHERE user_id = $1 AND id = $2 AND expires_at > $3',
      values: [claims.sub, claims.sid, clock()],
    });
    if (found.rowCount === 0) throw unauthorized();
    request.session = { userId: claims.sub, sessionId: claims.sid };
  });
}

async function readToken(request: FastifyRequest): Promise<Claims> {
  try {
    return await request.jwtVerify<Claims>();
  } catch {
    throw unauthorized();
  }
}

/** Signing and checking of tokens. When one ends is the session row's to say, by the injected clock. */
export async function registerTokens(app: FastifyInstance, secret: string): Promise<void> {
  await app.register(fastifyJwt, {
    secret,
    sign: { algorithm: 'HS256' },
    verify: { algorithms: ['HS256'], ignoreExpiration: true },
  });
}
