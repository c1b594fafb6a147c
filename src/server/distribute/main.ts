import { describeStartError } from '../start/open-server.ts';
import { distribute } from './distribute.ts';
import { DistributeError, exitCodes } from './distribute-error.ts';
import { help, readArgs } from './options.ts';

async function main(): Promise<number> {
  const args = readArgs(process.argv.slice(2), process.env);
  if (args.type === 'help') {
    console.log(help);
    return 0;
  }
  if (args.type === 'problem') {
    console.error(`${args.message}\nAll options: npm run distribute -- --help`);
    return exitCodes.misused;
  }
  await distribute(args.options, (line) => console.log(line));
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof DistributeError ? error : null;
    console.error(known ? known.message : `It failed: ${describeStartError(error)}`);
    process.exit(known?.exitCode ?? exitCodes.failed);
  },
);
