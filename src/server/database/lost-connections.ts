import type { Socket } from 'node:net';
import pg from 'pg';

/**
 * Error codes of the socket. The last four mean that the host has no address or no route for now, for example while its
 * container restarts.
 */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/**
 * PostgreSQL: connection exceptions (08), shutdown and start-up (57P01–57P03), too many connections, disk full, and
 * read-only (25006), which a former primary is after a failover.
 */
const sqlStates = /^(08...|57P0[123]|53300|53100|25006)$/;

/**
 * Error messages of the driver. The last one occurs if the HTTP server closes while it still processes a request whose
 * client has disconnected.
 */
const driverTexts =
  /^(Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end)/;

/** Citus: a machine of the cluster is lost, and the transaction needs it. */
const clusterTexts =
  /^(failure on connection marked as essential|could not commit transaction for shard)/;

/** Canceled because it ran longer than the statement timeout. */
const canceled = '57014';

/** Deadlock and serialization failure. */
const conflicts = new Set(['40P01', '40001']);

/**
 * Whether a query failed because of the connection, not because of the query itself: the database is unreachable, full
 * or read-only, or all connections of the pool were in use for too long. The caller should stop and try again later.
 */
export function isConnectionLost(error: unknown): boolean {
  return isUnreachable(error) || withCauses(error).some(isPoolExhausted);
}

/** Whether a query failed because the database is unreachable, full or read-only. */
export function isUnreachable(error: unknown): boolean {
  return withCauses(error).some((e) => {
    const code = codeOf(e);
    const texts = driverTexts.test(e.message) || clusterTexts.test(e.message);
    return systemCodes.has(code) || sqlStates.test(code) || texts;
  });
}

/**
 * Whether a query failed because of other ones, so that it may succeed if repeated: all connections of the pool were in
 * use for too long, the query ran longer than the statement timeout, or its transaction was rolled back for another one.
 */
export function isOverloaded(error: unknown): boolean {
  return withCauses(error).some(
    (e) => isPoolExhausted(e) || codeOf(e) === canceled || conflicts.has(codeOf(e)),
  );
}

function isPoolExhausted({ message }: Error): boolean {
  return message === 'timeout exceeded when trying to connect';
}

/** Whether the database reported that it has lost another machine of its cluster. */
export function isWorkerLost(error: unknown): boolean {
  return withCauses(error).some(
    (e) => e instanceof pg.DatabaseError && (clusterTexts.test(e.message) || /^08/.test(codeOf(e))),
  );
}

function withCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...withCauses(error.cause)] : [];
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/**
 * Closes a connection in use after `silenceMs` without traffic. PostgreSQL's own timeouts do not help if PostgreSQL
 * hangs or the network has failed. A query in progress then fails with an error that counts as a lost connection. 0: no
 * limit.
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
