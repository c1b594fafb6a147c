import { startProblem } from '../start-problem.ts';
import { help, readArgs } from './options.ts';
import { exitCodes, TransferProblem } from './problem.ts';
import { transfer } from './transfer.ts';

async function main(): Promise<number> {
  const args = readArgs(process.argv.slice(2), process.env);
  if (args.kind === 'help') {
    console.log(help);
    return 0;
  }
  if (args.kind === 'problem') {
    console.error(`${args.message}\nAll options: npm run transfer -- --help`);
    return exitCodes.misused;
  }
  await transfer(args.options, (line) => console.log(line));
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof TransferProblem ? error : null;
    console.error(known ? known.message : `The transfer failed: ${startProblem(error)}`);
    process.exit(known?.exitCode ?? exitCodes.failed);
  },
);
