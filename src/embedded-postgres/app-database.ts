import { Client } from 'pg';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';
import { databaseName, databaseRole } from './process/server-settings.ts';
import { socketPort } from './process/socket-folder.ts';

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Explicit, because the driver would otherwise obey PGSSLMODE. */
  ssl: false;
  /** Settings of the session, written like command-line options of PostgreSQL: '-c name=value'. */
  options: string;
}

/**
 * Keeps errors of statements out of PostgreSQL's log, because their texts contain values of rows, and the client gets
 * the errors anyway. In this setting LOG ranks above ERROR: only messages of level LOG, FATAL and PANIC are logged.
 */
const sessionOptions = '-c log_min_messages=log';

export function connectionTo(host: string, password: string): Connection {
  const [user, database] = [databaseRole, databaseName];
  return {
    ...{ host, port: socketPort, user, password, database },
    ssl: false,
    options: sessionOptions,
  };
}

/**
 * Whether the application's database accepts queries. Creates it if it does not exist. Throws errors that waiting does
 * not solve.
 */
export async function acceptsQueries(connection: Connection): Promise<boolean> {
  try {
    await queryOnce(connection, 'SELECT 1').catch(async (error: unknown) => {
      if (errorCode(error) !== '3D000') throw error;
      await createDatabase(connection);
    });
    return true;
  } catch (error) {
    if (isNotReady(error)) return false;
    throw explainRefusal(error);
  }
}

async function createDatabase(connection: Connection): Promise<void> {
  const statement = `CREATE DATABASE "${connection.database}"`;
  try {
    await queryOnce({ ...connection, database: 'postgres' }, statement);
  } catch (error) {
    // Both codes mean that another process created it first. Which one occurs depends on the timing.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
  }
}

async function queryOnce(connection: Connection, text: string): Promise<void> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5_000 });
  // Without a listener, a connection that breaks between two calls would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Errors of a server that is starting, stopping, overloaded or out of disk space, or that has no socket yet. */
function isNotReady(error: unknown): boolean {
  const notReady = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|08...|57P0[123]|53300|53100)$/;
  if (notReady.test(errorCode(error) ?? '')) return true;
  const { message } = error as Error;
  return /^(Connection terminated|timeout exceeded when trying to connect)/.test(message);
}

function explainRefusal(error: unknown): unknown {
  if (errorCode(error) !== '28P01') return error;
  return new EmbeddedPostgresError(
    'The running PostgreSQL refuses the password stored beside its data; restore the password file or set DATABASE_URL',
    { cause: error },
  );
}
