import { databaseUrlForm, isDatabaseUrl } from '../database/database-url.ts';
import { describeStartError } from './start-error.ts';

/** Exit codes other than 0 of commands such as `npm run transfer`. */
export const exitCodes = {
  /** It failed; it can be run again. */
  failed: 1,
  /** Arguments or environment are wrong. */
  misused: 2,
  /** It did not start, because a database that it needs is missing, in use or unsuitable. */
  cannotStart: 3,
} as const;

/** The message is for the console: what is wrong and what to do. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The reason why a command does not start. */
export function cannotStart(message: string): CommandError {
  return new CommandError(exitCodes.cannotStart, message);
}

/**
 * The parsed arguments of a command. The message of a problem does not repeat a value without an option, because that
 * may be a URL with a password.
 */
export type ReadArgs<Options> =
  | { type: 'run'; options: Options }
  | { type: 'help' }
  | { type: 'problem'; message: string };

/** `read` returns the options, or null if the help was requested, and throws an Error whose message is the problem. */
export function readArgsBy<Options>(read: () => Options | null): ReadArgs<Options> {
  try {
    const options = read();
    return options === null ? { type: 'help' } : { type: 'run', options };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { type: 'problem', message: problemIn(error) };
  }
}

/** parseArgs quotes an unexpected positional argument in its message; it may be a URL with a password. */
function problemIn(error: Error): string {
  const isLoneValue = 'code' in error && error.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
  return isLoneValue ? 'A value has no option before it' : error.message;
}

/**
 * The URL of a PostgreSQL database. Throws an Error that names the `source` if the URL is missing or invalid. For a
 * missing URL the message also contains the `purpose`.
 */
export function databaseUrlIn(url: string | undefined, source: string, purpose: string): string {
  if (!url) throw new Error(`${source} is missing: the postgres:// URL of ${purpose}`);
  if (isDatabaseUrl(url)) return url;
  throw new Error(`${source} must be ${databaseUrlForm}`);
}

export interface Command<Options> {
  /** `npm run <name>` */
  name: string;
  help: string;
  args: ReadArgs<Options>;
  run: (options: Options, print: (line: string) => void) => Promise<void>;
  /** What failed, before the reason. */
  failure: string;
}

/** Runs a command and ends the process with its exit code. */
export function runCommand<Options>(command: Command<Options>): void {
  exitCodeOf(command).then(
    (code) => process.exit(code),
    (error: unknown) => {
      const known = error instanceof CommandError ? error : null;
      console.error(known ? known.message : `${command.failure}: ${describeStartError(error)}`);
      process.exit(known?.exitCode ?? exitCodes.failed);
    },
  );
}

async function exitCodeOf<Options>({ name, help, args, run }: Command<Options>): Promise<number> {
  if (args.type === 'help') {
    console.log(help);
    return 0;
  }
  if (args.type === 'problem') {
    console.error(`${args.message}\nAll options: npm run ${name} -- --help`);
    return exitCodes.misused;
  }
  await run(args.options, (line) => console.log(line));
  return 0;
}
