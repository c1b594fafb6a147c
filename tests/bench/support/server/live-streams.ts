import { createHmac } from 'node:crypto';
import http from 'node:http';
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { livePath } from '#contract/live.ts';
import { hourMs } from '#domain/time.ts';
import { bearer, testSecret } from '../../../support/server/server.ts';

/** What all streams have received so far. */
export interface Received {
  events: number;
  bytes: number;
}

/** Adds a session to each of these accounts, without the cost of hashing passwords. Resolves to their tokens. */
export async function addSessions(pool: pg.Pool, userIds: readonly string[]): Promise<string[]> {
  const sessionIds = userIds.map(() => uuidv7());
  const expiresAt = new Date(Date.now() + 12 * hourMs);
  await pool.query(
    `INSERT INTO sessions (user_id, id, created_at, expires_at)
     SELECT user_id, id, now(), $3 FROM unnest($1::uuid[], $2::uuid[]) AS s (user_id, id)`,
    [userIds, sessionIds, expiresAt],
  );
  const exp = Math.ceil(expiresAt.getTime() / 1_000);
  return userIds.map((sub, i) => tokenOf({ sub, sid: sessionIds[i], exp }));
}

function tokenOf(claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', testSecret).update(signed).digest('base64url')}`;
}

/** Opens a stream; resolves when its response begins. The stream stays open until its agent is destroyed. */
export function openStream(
  url: string,
  { token, agent, received }: { token: string; agent: http.Agent; received: Received },
): Promise<void> {
  const { hostname, port } = new URL(url);
  const to = { hostname, port, agent, path: livePath, headers: bearer({ token }) };
  return new Promise((resolve, reject) => {
    const request = http.get(to, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream: ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => {
        received.bytes += chunk.length;
        received.events += chunk.toString().split('event:').length - 1;
      });
      // Destroying the agent ends the response with an error.
      response.on('error', () => undefined);
      resolve();
    });
    request.on('error', reject);
  });
}
