import { EmbeddedPostgresError } from '#embedded-postgres/embedded-postgres-error.ts';
import { ConfigError } from './config.ts';

/** Why the server could not start, in one line for the console. */
export function describeStartError(error: unknown): string {
  if (error instanceof ConfigError) return `the configuration is wrong: ${error.message}`;
  if (error instanceof EmbeddedPostgresError) return error.message;
  const { code, message, port } = rootCause(error) as NodeJS.ErrnoException & { port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use; set PORT to another one`;
    case 'EACCES':
      return `no permission (${message})`;
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return `the database of DATABASE_URL does not answer (${message})`;
    default:
      return message;
  }
}

/** Errors that wrap another one quote the failed query with its values. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootCause(error.cause) : error;
}
