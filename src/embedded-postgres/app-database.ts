import { Client } from 'pg';
import { isConnectionLost } from '#server/database/connection-lost.ts';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';
import { databaseName, databaseRole } from './process/server-settings.ts';
import { socketPort } from './process/socket-folder.ts';

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Said outright, because the driver would otherwise follow PGSSLMODE. */
  ssl: false;
}

export function connectionTo(host: string, password: string): Connection {
  const [user, database] = [databaseRole, databaseName];
  return { host, port: socketPort, user, password, database, ssl: false };
}

/** Whether the application's database answers; makes it where the cluster is new. */
export async function answers(connection: Connection): Promise<boolean> {
  try {
    await queryOnce(connection, 'SELECT 1').catch(async (error: unknown) => {
      if (errorCode(error) !== '3D000') throw error;
      await makeDatabase(connection);
    });
    return true;
  } catch (error) {
    if (isConnectionLost(error)) return false;
    throw asRefusal(error);
  }
}

async function makeDatabase(connection: Connection): Promise<void> {
  const statement = `CREATE DATABASE "${connection.database}"`;
  try {
    await queryOnce({ ...connection, database: 'postgres' }, statement);
  } catch (error) {
    // Two codes for 'another process made it', depending on how close the race was.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
  }
}

async function queryOnce(connection: Connection, text: string): Promise<void> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5_000 });
  // Without a listener a connection that breaks between two steps ends the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function asRefusal(error: unknown): unknown {
  if (errorCode(error) !== '28P01') return error;
  return new EmbeddedPostgresError(
    'The running PostgreSQL refuses the password kept beside its data; restore the password file or set DATABASE_URL',
    { cause: error },
  );
}
