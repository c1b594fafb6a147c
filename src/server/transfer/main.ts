import path from 'node:path';
import { parseArgs } from 'node:util';
import { databaseUrlIn, type ReadArgs, readArgsBy, runCommand } from '../start/command.ts';
import { targetSource } from './target.ts';
import { type TransferOptions, transfer } from './transfer.ts';

const help = `Copies the embedded database to a PostgreSQL of your own. Stop the server first.

  npm run transfer -- --to postgres://user:password@host:5432/sprig

  --to URL   a database of PostgreSQL 15 or newer that is still empty; without it, DATABASE_URL is used,
             which keeps the password out of the list of processes
  --help     this text

DATA_DIR names the folder that is copied, as for the server (./data). Its rows stay; its tables are brought up
to this version.
All rows arrive or none: after a failure, run it again. It may also be run again after it has succeeded.
Ends with 0 when everything is there, 1 when it failed, 2 if an argument is wrong, 3 when it did not start
because the data folder has no database or is in use, or because the new database is unsuitable or not empty.`;

const args = readArgs(process.argv.slice(2), process.env);
runCommand({ name: 'transfer', help, args, run: transfer, failure: 'The transfer failed' });

/** Reads command line and environment. */
function readArgs(
  args: readonly string[],
  env: Record<string, string | undefined>,
): ReadArgs<TransferOptions> {
  return readArgsBy(() => {
    const { values } = parseArgs({
      args: [...args],
      options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return null;
    const to = databaseUrlIn(values.to ?? env.DATABASE_URL, targetSource, 'the new database');
    return { dataDir: path.resolve(env.DATA_DIR || './data'), to };
  });
}
