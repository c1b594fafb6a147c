import { EmbeddedPostgresError } from '#embedded-postgres/embedded-postgres-error.ts';
import { ConfigError } from './config.ts';

/** Why the server could not start, in one line for the console. */
export function describeStartError(error: unknown): string {
  if (error instanceof ConfigError) return `the configuration is wrong: ${error.message}`;
  if (error instanceof EmbeddedPostgresError) return error.message;
  const { code, message, port } = rootCause(error);
  if (code === 'EADDRINUSE') return `port ${port} is in use; set PORT to another one`;
  if (code === 'EACCES') return `no permission (${message})`;
  return message;
}

/** If listening failed because of a wrong HOST, a ConfigError that names it; otherwise the error itself. */
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
