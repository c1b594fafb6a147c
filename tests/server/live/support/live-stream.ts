import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { livePath } from '#contract/live.ts';
import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import type { App } from '#server/http/app-deps.ts';
import type { AppOptions } from '#server/start/app.ts';
import {
  type Account,
  bearer,
  openTestApp,
  type TestServer,
} from '../../../support/server/server.ts';

/** An open stream as a client sees it. */
export interface LiveStream {
  status: number;
  headers: Headers;
  /** Everything that came so far. */
  text: () => string;
  /** The events that came so far. */
  events: () => string[];
  /** Resolves when the stream ends, also when the connection is cut. */
  ended: Promise<void>;
  /** The client disconnects. */
  close: () => Promise<void>;
}

/** Lets the app listen on a port of its own. */
export async function listen(app: App): Promise<string> {
  return await app.listen({ port: 0, host: '127.0.0.1' });
}

export async function openStream(url: string, token: string): Promise<LiveStream> {
  const abort = new AbortController();
  const response = await fetch(`${url}${livePath}`, {
    headers: { ...bearer({ token }), 'accept-encoding': 'gzip, br' },
    signal: abort.signal,
  });
  let text = '';
  const ended = readAll(response, (chunk) => {
    text += chunk;
  });
  const stream: LiveStream = {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events: () => [...text.matchAll(/^event: (\w+)$/gm)].map(([, type = '']) => type),
    ended,
    close: async () => {
      abort.abort();
      await ended;
    },
  };
  onTestFinished(() => stream.close());
  return stream;
}

async function readAll(response: Response, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) onText(decoder.decode(chunk, { stream: true }));
  } catch {
    // The connection was cut.
  }
}

/** A stream that is open: every change from now on is announced to it. */
export async function openedStream(url: string, account: Pick<Account, 'token'>) {
  const stream = await openStream(url, account.token);
  expect(stream.status).toBe(200);
  await expect.poll(stream.events).toContain('open');
  return stream;
}

/** Acts as another server process: an app with its own connections to the same database. */
export async function openSecondApp(
  { db, clock }: TestServer,
  live: AppOptions['live'] = {},
): Promise<{
  app: App;
  url: string;
  close: () => Promise<void>;
}> {
  const second = databaseOver(openPool({ ...connectionOf(db), max: 2 }));
  const app = await openTestApp({ db: second, clock, live });
  return {
    app,
    url: await listen(app),
    close: async () => {
      await app.close();
      await second.close();
    },
  };
}

/** All notifications of the database from now on. */
export async function notificationsOf(db: Database): Promise<string[]> {
  const client = new pg.Client(connectionOf(db));
  await client.connect();
  const payloads: string[] = [];
  client.on('notification', ({ payload = '' }) => payloads.push(payload));
  await client.query('LISTEN sprig_live');
  onTestFinished(() => client.end());
  return payloads;
}

/** A spread of the options omits the password, which is not enumerable. */
function connectionOf({ pool }: Database): pg.PoolConfig {
  return { ...pool.options, password: pool.options.password };
}
