/** Exit codes of the command other than 0. */
export const exitCodes = {
  /** It failed; nothing was changed. */
  failed: 1,
  misused: 2,
  /** It did not start: the database or the cluster is not ready. */
  cannotStart: 3,
} as const;

/** The message is for the console: what is wrong and what to do. */
export class DistributeError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export function cannotStart(message: string): DistributeError {
  return new DistributeError(exitCodes.cannotStart, message);
}

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
  if (error instanceof DistributeError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const hint = hints[code] ?? 'nothing was changed; solve this and run it again';
  return new DistributeError(exitCodes.failed, `The database: ${hint} (${error.message}).`, {
    cause: error,
  });
}
