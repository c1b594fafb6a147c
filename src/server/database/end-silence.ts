import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Gives up a connection in use on which nothing came or went for so long: its server hangs or the network lost it,
 * and no limit on the other side helps. What ran on it fails as a lost connection; 0 waits for ever.
 */
export function endSilence(pool: pg.Pool, silenceMs: number): void {
  if (silenceMs === 0) return;
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.on('timeout', () => {
      const error = new Error('The database said nothing for too long');
      socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    });
  });
  // One that waits in the pool may be as silent as it likes.
  pool.on('acquire', (client) => socketOf(client).setTimeout(silenceMs));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** The driver's own socket, after TLS has begun; its types leave it out. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
