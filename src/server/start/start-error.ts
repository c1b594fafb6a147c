import { EmbeddedPostgresError } from '#embedded-postgres/embedded-postgres-error.ts';
import { ConfigError } from './config.ts';

/** Network errors. When the server starts, they come from the connection to an external database. */
const unreachable =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;
/** The driver's message, without a code, if the database accepts the connection but then ends it or stays silent. */
const silent = /^Connection terminated/;

/** What is wrong with an external database, by PostgreSQL's error code, and what to do. */
const refusals: Record<string, string> = {
  '28P01': 'refuses the password; correct DATABASE_URL',
  '28000': 'refuses the user; correct DATABASE_URL',
  '3D000': 'does not exist; make it with CREATE DATABASE or correct DATABASE_URL',
  '42501': 'does not let its user do this; make that user the owner of the database',
  '42P07': 'has tables of another program; give Sprig a database of its own',
  '25006': 'is read-only; DATABASE_URL must be the primary',
};

/** Why the server could not start, in one line for the console. */
export function describeStartError(error: unknown): string {
  if (error instanceof ConfigError) return `the configuration is wrong: ${error.message}`;
  if (error instanceof EmbeddedPostgresError) return error.message;
  const { code, message, port } = rootCause(error);
  if (code === 'EADDRINUSE') return `port ${port} is in use; set PORT to another one`;
  if (code === 'EACCES') return `no permission (${message})`;
  if (unreachable.test(code ?? '')) return noResponse(message);
  return message;
}

function noResponse(message: string): string {
  return `the database of DATABASE_URL does not respond; check that it runs and can be reached from here (${message})`;
}

/** Says of an error of the database of DATABASE_URL what is wrong with it and what to do; returns others unchanged. */
export function describeExternalError(error: unknown): unknown {
  const { code, message } = rootCause(error);
  const refusal = refusals[code ?? ''];
  if (refusal) return new Error(`the database of DATABASE_URL ${refusal} (${message})`);
  return silent.test(message) ? new Error(noResponse(message)) : error;
}

/**
 * If listening failed because of a wrong HOST, a ConfigError that names it; otherwise the error itself. Without this,
 * an unknown HOST would be reported as a database that does not respond.
 */
export function listenError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!/^(ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL)$/.test(code ?? '')) return error;
  return new ConfigError(
    `HOST must be an address of this machine, or 0.0.0.0 for all (${message})`,
  );
}

/**
 * The innermost error, whose message is shown: a wrapping error quotes the failed query with its values, and an
 * AggregateError, for example for a host with several addresses, has no message.
 */
export function rootCause(error: unknown): NodeJS.ErrnoException & { port?: number } {
  if (error instanceof AggregateError) return rootCause(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return rootCause(error.cause);
  return error as NodeJS.ErrnoException;
}
