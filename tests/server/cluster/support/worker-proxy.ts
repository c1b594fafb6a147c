import { once } from 'node:events';
import net from 'node:net';
import type { TestPostgres } from '../../../support/database/postgres.ts';

/** A worker of the cluster as the coordinator reaches it: through a proxy that can disconnect or freeze it. */
export interface WorkerProxy {
  host: string;
  port: number;
  /** As if the machine had failed: connections break, and new ones are closed at once. */
  kill: () => void;
  /** As if the machine hung: connections stay open and nothing is answered. */
  freeze: () => void;
  recover: () => void;
  close: () => Promise<void>;
}

/** `host`: the IP address at which the cluster can reach this machine. */
export async function openWorkerProxy(worker: TestPostgres, host: string): Promise<WorkerProxy> {
  const sockets = new Set<net.Socket>();
  let state: 'up' | 'killed' | 'frozen' = 'up';
  const server = net.createServer((client) => {
    if (state === 'killed') {
      client.destroy();
      return;
    }
    const upstream = net.connect({ host: worker.host, port: worker.port });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay();
      from.on('error', () => from.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (state === 'frozen') from.pause();
    }
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    host,
    port,
    kill: () => {
      state = 'killed';
      cutAll();
    },
    freeze: () => {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    recover: () => {
      state = 'up';
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      server.close();
      cutAll();
      await once(server, 'close');
    },
  };
}
