import { isConnectionLost } from '../database/lost-connections.ts';
import { CommandError, exitCodes } from './command.ts';
import { rootCause } from './start-error.ts';

export interface DatabaseErrorTexts {
  /** The database, as the beginning of the message. */
  database: string;
  /** The option or variable that contains the URL of the database. */
  source: string;
  /** The hint for an error without a hint of its own. */
  otherHint: string;
}

/** Describes an error of a command's database, with a hint. A CommandError is returned as it is. */
export function describeDatabaseError(
  error: unknown,
  { database, source, otherHint }: DatabaseErrorTexts,
): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error;
  const hint = hintFor(error, source) ?? otherHint;
  const message = `${database}: ${hint} (${rootCause(error).message}).`;
  return new CommandError(exitCodes.failed, message, { cause: error });
}

/** Describes an error of the database of DATABASE_URL that ends a start, with a hint. Other errors are returned. */
export function describeExternalError(error: unknown): unknown {
  const hint = hintFor(error, 'DATABASE_URL');
  if (hint === undefined) return error;
  return new Error(`the database of DATABASE_URL: ${hint} (${rootCause(error).message})`);
}

function hintFor(error: unknown, source: string): string | undefined {
  const cause = rootCause(error);
  const hint = hintsFor(source)[cause.code ?? ''];
  return hint ?? (isConnectionLost(cause) ? unreachableHint : undefined);
}

const unreachableHint =
  'it does not respond; check that it runs and can be reached from here, and run this again';

function hintsFor(source: string): Record<string, string> {
  return {
    '28P01': `it refuses the password; correct ${source}`,
    '28000': `it refuses the user; correct ${source}`,
    '3D000': `there is no such database; make it with CREATE DATABASE or correct ${source}`,
    '42501': `the user of ${source} may not do this; make that user the owner of the database`,
    '42P07': 'it has tables of another program; give Sprig a database of its own',
    '25006': `it is read-only; ${source} must be the primary`,
    '55P03': 'another program is using its tables; stop every server and run this again',
    '53100': 'a disk is full; make room and run this again',
  };
}
