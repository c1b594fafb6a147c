/** Exit codes of the command other than 0. */
export const exitCodes = {
  /** The transfer failed; nothing was stored in the new database. */
  failed: 1,
  misused: 2,
  /** The transfer was not started: source or target cannot be used. */
  cannotStart: 3,
} as const;

/** The message is for the console: what is wrong and what to do. */
export class TransferError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export function cannotStart(message: string): TransferError {
  return new TransferError(exitCodes.cannotStart, message);
}

/** An error of the embedded database. The transaction in the new database is rolled back. */
export function sourceError(cause: Error): TransferError {
  const message = `The embedded database could not be read (${cause.message}). Nothing was stored in the new one.`;
  return new TransferError(exitCodes.failed, message, { cause });
}
