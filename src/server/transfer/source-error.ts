import { CommandError, exitCodes } from '../start/command.ts';

/** An error of the embedded database. The transaction in the new database is rolled back. */
export function sourceError(cause: Error): CommandError {
  const message = `The embedded database could not be read (${cause.message}). Nothing was stored in the new one.`;
  return new CommandError(exitCodes.failed, message, { cause });
}
