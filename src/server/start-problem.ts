import { EmbeddedPostgresError } from '#embedded-postgres/embedded-postgres-error.ts';
import { ConfigError } from './config.ts';

/** Why the server could not start, as one line for the console. */
export function startProblem(error: unknown): string {
  if (error instanceof ConfigError) return `the configuration is wrong: ${error.message}`;
  if (error instanceof EmbeddedPostgresError) return error.message;
  const { code, message, port } = rootOf(error) as NodeJS.ErrnoException & { port?: number };
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

/** What is wrapped around it tells of the query, with its values. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error;
}
