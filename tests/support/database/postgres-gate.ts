import { once } from 'node:events';
import net from 'node:net';
import { deferred } from '../deferred.ts';
import type { TestPostgres } from './postgres.ts';

/** A proxy to PostgreSQL whose connections can be paused, or cut, at a chosen moment. */
export interface PostgresGate {
  /** The database URL through the proxy. */
  url: string;
  /** Resolves at the chosen moment. The bytes up to it are passed on, but nothing after them, in either direction. */
  shut: Promise<void>;
  open: () => void;
  /** Cuts all connections and accepts no new ones, as if the machine had failed. */
  tearDown: () => Promise<void>;
}

/** Chooses the moment by what was sent to PostgreSQL: the number of bytes, and the text of the newest ones. */
export type Moment = (sent: { bytes: number; text: string }) => boolean;

export async function openGate(
  postgres: TestPostgres,
  database: string,
  isMoment: Moment,
): Promise<PostgresGate> {
  const sockets = new Set<net.Socket>();
  let bytes = 0;
  let state: 'not yet' | 'shut' | 'open again' = 'not yet';
  const { promise: shut, resolve: resolveShut } = deferred();
  const server = net.createServer((client) => {
    const upstream = net.connect(placeOf(postgres));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (chunk) => {
        if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => state === 'shut' || from.resume());
        }
        if (from === upstream || state !== 'not yet') return;
        bytes += chunk.length;
        if (!isMoment({ bytes, text: chunk.toString('latin1') })) return;
        state = 'shut';
        for (const socket of sockets) socket.pause();
        resolveShut();
      });
      if (state === 'shut') from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const who = `${encodeURIComponent(postgres.user)}:${encodeURIComponent(postgres.password)}`;
  return {
    url: `postgres://${who}@127.0.0.1:${port}/${database}`,
    shut,
    open: () => {
      state = 'open again';
      for (const socket of sockets) socket.resume();
    },
    tearDown: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function placeOf({ host, port }: TestPostgres): net.NetConnectOpts {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
