import { parseArgs } from 'node:util';
import { databaseUrlIn, type ReadArgs, readArgsBy, runCommand } from '../start/command.ts';
import { type DistributeOptions, distribute } from './distribute.ts';

const help = `Distributes the accounts of a database over the machines of a Citus cluster. Stop every server first.

  DATABASE_URL=postgres://user:password@coordinator:5432/sprig npm run distribute

  --check    only looks: what is ready, what is missing, what would be done
  --help     this text

DATABASE_URL is the coordinator of a cluster with one worker or more. An empty database gets its tables first;
npm run transfer fills it. Everything is distributed or nothing: after a failure, run it again. It may be run again at any
time, and then adds what is missing.
Ends with 0 when everything is distributed (with --check: or can be), 1 when it failed, 2 if an argument is wrong,
3 when it did not start because cluster or database are not ready.`;

const args = readArgs(process.argv.slice(2), process.env);
runCommand({ name: 'distribute', help, args, run: distribute, failure: 'The distribution failed' });

/** Reads command line and environment. */
function readArgs(
  args: readonly string[],
  env: Record<string, string | undefined>,
): ReadArgs<DistributeOptions> {
  return readArgsBy(() => {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return null;
    const databaseUrl = databaseUrlIn(env.DATABASE_URL, 'DATABASE_URL', 'the coordinator');
    return { databaseUrl, isCheck: values.check ?? false };
  });
}
