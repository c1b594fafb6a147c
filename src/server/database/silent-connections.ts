import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Closes a connection in use after `silenceMs` without traffic: its server hangs or the network has lost it, and then no
 * timeout on the server's side helps. Its query fails as a lost connection. 0: no limit.
 */
export function closeSilentConnections(pool: pg.Pool, silenceMs: number): void {
  if (silenceMs === 0) return;
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.on('timeout', () => {
      const error = new Error('The database did not respond for too long');
      socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    });
  });
  // Idle connections in the pool have no limit.
  pool.on('acquire', (client) => socketOf(client).setTimeout(silenceMs));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** The driver's socket, which its types leave out. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
