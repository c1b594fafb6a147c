/** Exit codes of the command beside 0. */
export const exitCodes = {
  /** It began and could not be done; nothing of it was kept. */
  failed: 1,
  misused: 2,
  /** It did not begin: what it found is not what it may touch. */
  refused: 3,
} as const;

/** Its message is for the console: what is wrong and what to do. */
export class TransferProblem extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export function refused(message: string): TransferProblem {
  return new TransferProblem(exitCodes.refused, message);
}

/** What went wrong with the embedded database; the other side has taken back what it had by then. */
export function sourceProblem(cause: Error): TransferProblem {
  const message = `The embedded database could not be read (${cause.message}). Nothing was kept in the new one.`;
  return new TransferProblem(exitCodes.failed, message, { cause });
}
