/** Its message is one line for the console; whoever catches it prints no stack. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

const causes: [RegExp, string][] = [
  [/ENOSPC|EDQUOT|No space left|quota exceeded/i, 'the disk is full'],
  [/EROFS|Read-only file system/i, 'the file system is read-only'],
  [/EACCES|EPERM|Permission denied|not permitted/i, 'this user may not use it'],
  [/ENOTDIR|EEXIST|Not a directory/i, 'a file stands where a folder is needed'],
  [/ENOENT/, 'a part of it is missing'],
];

export function diskTrouble(text: string): string | undefined {
  return causes.find(([pattern]) => pattern.test(text))?.[1];
}

/** Turns a refusal by the file system into words; everything else stays what it is. */
export function inWords(cause: unknown, path: string): unknown {
  if (cause instanceof EmbeddedPostgresError || !(cause instanceof Error)) return cause;
  const trouble = diskTrouble(errorCode(cause) ?? '');
  return trouble === undefined ? cause : unusable(path, trouble, cause);
}

export function unusable(path: string, trouble: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database cannot use ${path}: ${trouble}; mend that, set DATA_DIR to another folder or set DATABASE_URL`,
    { cause },
  );
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
