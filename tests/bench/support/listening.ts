import { once } from 'node:events';
import type http from 'node:http';

export interface Listening {
  url: string;
  close: () => Promise<void>;
}

/** Lets a server listen on a free port of this machine. */
export async function listening(server: http.Server): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
