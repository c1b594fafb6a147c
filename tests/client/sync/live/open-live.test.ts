import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LiveStream, type LiveUpdate, openLive } from '#client/sync/live/open-live.ts';

const start = Date.parse('2026-11-22T08:00:00Z');
beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

/** One connection of the client. `respond` resolves its fetch; `fail` rejects it, as without a network. */
interface Connection {
  url: string;
  headers: Headers;
  signal: AbortSignal;
  respond: (response: Response) => void;
  fail: () => void;
}

interface Setup {
  live: LiveStream;
  updates: LiveUpdate[];
  connections: Connection[];
  abort: () => void;
}

/** `random` is 0.5 throughout: the first wait is 5 s. */
function setUp(): Setup {
  const abort = new AbortController();
  const updates: LiveUpdate[] = [];
  const connections: Connection[] = [];
  const live = openLive({
    token: 'a token',
    signal: abort.signal,
    now: Date.now,
    random: () => 0.5,
    onUpdate: (update) => updates.push(update),
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        const signal = init.signal ?? new AbortController().signal;
        const fail = () => reject(new TypeError('Failed to fetch'));
        signal.addEventListener('abort', fail);
        connections.push({
          url,
          headers: new Headers(init.headers),
          signal,
          respond: resolve,
          fail,
        });
      }),
  });
  return { live, updates, connections, abort: () => abort.abort() };
}

/** Responds to the newest connection with a stream. */
async function respondWithStream({ connections }: Setup) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  connections.at(-1)?.respond(new Response(body, { headers }));
  const afterPromises = () => vi.advanceTimersByTimeAsync(0);
  await afterPromises();
  return {
    isCancelled: () => isCancelled,
    send: async (text: string) => {
      controller?.enqueue(new TextEncoder().encode(text));
      await afterPromises();
    },
    end: async () => {
      controller?.close();
      await afterPromises();
    },
    cut: async () => {
      controller?.error(new TypeError('network error'));
      await afterPromises();
    },
  };
}

async function respondWith(
  setup: Setup,
  status: number,
  headers: Record<string, string> = {},
  body = '{}',
) {
  setup.connections.at(-1)?.respond(new Response(body, { status, headers }));
  await vi.advanceTimersByTimeAsync(0);
}

const openEvent = 'event: open\ndata: {}\n\n';
const changeEvent = 'event: change\ndata: {}\n\n';

const closed = { type: 'closed' };

/** Waits until it connects again. Resolves to how long that took (ms). */
async function untilReconnected({ connections }: Setup): Promise<number> {
  const { length } = connections;
  const from = Date.now();
  while (connections.length === length) await vi.advanceTimersToNextTimerAsync();
  return Date.now() - from;
}

test('the token is sent in a header, events are reported as they arrive, and an abort closes the stream', async () => {
  const setup = setUp();
  const stream = await respondWithStream(setup);
  const [{ url, headers } = {}] = setup.connections;
  expect(url).toBe('/api/live');
  expect(headers?.get('authorization')).toBe('Bearer a token');
  expect(headers?.get('accept')).toBe('text/event-stream');
  await stream.send('event: op');
  expect(setup.updates).toEqual([]);
  await stream.send('en\r\ndata: {}\r\n\r\n: comment\n\n');
  expect(setup.updates).toEqual([{ type: 'open' }]);
  await stream.send(changeEvent + changeEvent.slice(0, 9));
  await stream.send(`${changeEvent.slice(9)}event: later\ndata: {}\n\n`);
  expect(setup.updates.slice(1)).toEqual([{ type: 'change' }, { type: 'change' }]);
  setup.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(stream.isCancelled()).toBe(true);
  expect(setup.updates).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
});

test.each(['end', 'cut'] as const)(
  'a stream that the server or the network %ss is opened again',
  async (how) => {
    const setup = setUp();
    const stream = await respondWithStream(setup);
    await stream.send(openEvent);
    await stream[how]();
    expect(setup.updates).toEqual([{ type: 'open' }, closed]);
    expect(await untilReconnected(setup)).toBe(5_000);
    setup.abort();
  },
);

test('waits grow while streams end early, and are reset after a stream that was open for a minute', async () => {
  const setup = setUp();
  const waits: number[] = [];
  for (const livedMs of [0, 0, 59_999, 60_000, 0]) {
    const stream = await respondWithStream(setup);
    await stream.send(openEvent);
    for (let lived = 0; lived < livedMs; lived += 20_000) {
      await stream.send(':\n\n');
      await vi.advanceTimersByTimeAsync(Math.min(20_000, livedMs - lived));
    }
    await stream.end();
    waits.push(await untilReconnected(setup));
  }
  expect(waits).toEqual([5_000, 12_500, 25_000, 5_000, 12_500]);
  setup.abort();
});

test('a connection without a first event within 10 s is closed, and the next attempt follows after 5 minutes', async () => {
  for (const buffersHead of [true, false]) {
    const setup = setUp();
    const stream = buffersHead ? null : await respondWithStream(setup);
    await stream?.send(': padding\n\n');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(setup.updates).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(setup.updates).toEqual([closed]);
    expect(setup.connections[0]?.signal.aborted).toBe(true);
    expect(await untilReconnected(setup)).toBe(305_000);
    setup.abort();
  }
});

test('heartbeats keep a stream open; after 60 s without one the connection counts as dead', async () => {
  const setup = setUp();
  const stream = await respondWithStream(setup);
  await stream.send(openEvent);
  for (let n = 0; n < 20; n += 1) {
    await vi.advanceTimersByTimeAsync(59_999);
    await stream.send(':\n\n');
  }
  expect(setup.updates).toEqual([{ type: 'open' }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(setup.updates[1]).toEqual(closed);
  expect(stream.isCancelled()).toBe(true);
  expect(await untilReconnected(setup)).toBe(5_000);
  setup.abort();
});

test.each([401, 403, 404, 405])('after a %d of the server there is no retry', async (status) => {
  const setup = setUp();
  await respondWith(setup, status);
  expect(setup.updates).toEqual([closed]);
  expect(vi.getTimerCount()).toBe(0);
  expect(setup.connections).toHaveLength(1);
});

test.each([
  [404, 'default backend - 404'],
  [403, '<html>Please sign in</html>'],
  [405, ''],
])(
  'after a %d of a proxy or a captive portal the connection is tried again',
  async (status, page) => {
    const setup = setUp();
    await respondWith(setup, status, {}, page);
    expect(setup.updates).toEqual([closed]);
    expect(await untilReconnected(setup)).toBe(5_000);
    setup.abort();
  },
);

test.each([429, 503])(
  'after a %d the client waits for Retry-After plus a random delay, and retryNow does not end the wait',
  async (status) => {
    const setup = setUp();
    await respondWith(setup, status, { 'retry-after': '60' });
    expect(setup.updates).toEqual([closed]);
    setup.live.retryNow();
    expect(await untilReconnected(setup)).toBe(65_000);
    setup.abort();
  },
);

test('without a network, or behind a captive portal, the connection is tried again', async () => {
  const setup = setUp();
  setup.connections[0]?.fail();
  await vi.advanceTimersByTimeAsync(0);
  expect(setup.updates).toEqual([closed]);
  expect(await untilReconnected(setup)).toBe(5_000);
  await respondWith(setup, 200, { 'content-type': 'text/html' });
  expect(setup.updates[1]).toEqual(closed);
  expect(await untilReconnected(setup)).toBe(12_500);
  setup.abort();
});

test('retryNow ends the wait after a failed connection', async () => {
  const setup = setUp();
  setup.connections[0]?.fail();
  await vi.advanceTimersByTimeAsync(0);
  setup.live.retryNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(setup.connections).toHaveLength(2);
  setup.abort();
});

test('retryNow neither changes an open stream nor ends the wait after the stream has ended', async () => {
  const setup = setUp();
  const stream = await respondWithStream(setup);
  await stream.send(openEvent);
  setup.live.retryNow();
  await stream.end();
  await vi.advanceTimersByTimeAsync(0);
  setup.live.retryNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(setup.connections).toHaveLength(1);
  setup.abort();
});

test('an abort stops the live stream at once, while it connects and while it waits', async () => {
  const connecting = setUp();
  connecting.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(connecting.updates).toEqual([]);
  const waiting = setUp();
  await respondWith(waiting, 503);
  waiting.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
