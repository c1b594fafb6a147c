import { CommandError, exitCodes } from '../start/command.ts';

const hints: Record<string, string> = {
  '28P01': 'it refuses the password; correct DATABASE_URL',
  '28000': 'it refuses the user; correct DATABASE_URL',
  '3D000': 'there is no such database; correct DATABASE_URL',
  '42501': 'the user of DATABASE_URL may not do this; make that user the owner of the database',
  '55P03': 'another program is using its tables; stop every server and run this again',
  '53100': 'a disk is full; make room and run this again',
};

/** Describes an error of the database. What it had done so far has been rolled back. */
export function databaseError(error: unknown): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const hint = hints[code] ?? 'nothing was changed; solve this and run it again';
  return new CommandError(exitCodes.failed, `The database: ${hint} (${error.message}).`, {
    cause: error,
  });
}
