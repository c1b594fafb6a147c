/** The message is one line for the console and says what to do; print it without the stack. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

const diskProblems: [RegExp, string][] = [
  [/ENOSPC|EDQUOT|No space left|quota exceeded|wrote only \d+ of/i, 'the disk is full'],
  [/EROFS|Read-only file system/i, 'the file system is read-only'],
  [/EACCES|EPERM|Permission denied|not permitted/i, 'this user may not use it'],
  [/ENOTDIR|EEXIST|Not a directory/i, 'a file stands where a folder is needed'],
  [/ENOENT/, 'a part of it is missing'],
];

export function diskProblem(text: string): string | undefined {
  return diskProblems.find(([pattern]) => pattern.test(text))?.[1];
}

/** Explains an error of the file system in words; returns every other error unchanged. */
export function describeFileError(cause: unknown, path: string): unknown {
  if (cause instanceof EmbeddedPostgresError || !(cause instanceof Error)) return cause;
  const problem = diskProblem(errorCode(cause) ?? '');
  return problem === undefined ? cause : unusableFolder(path, problem, cause);
}

export function unusableFolder(
  path: string,
  problem: string,
  cause?: unknown,
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database cannot use ${path}: ${problem}; solve this, set DATA_DIR to another folder or set DATABASE_URL`,
    { cause },
  );
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
