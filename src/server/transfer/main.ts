import { describeStartError } from '../start/open-server.ts';
import { help, readArgs } from './options.ts';
import { transfer } from './transfer.ts';
import { exitCodes, TransferError } from './transfer-error.ts';

async function main(): Promise<number> {
  const args = readArgs(process.argv.slice(2), process.env);
  if (args.type === 'help') {
    console.log(help);
    return 0;
  }
  if (args.type === 'problem') {
    console.error(`${args.message}\nAll options: npm run transfer -- --help`);
    return exitCodes.misused;
  }
  await transfer(args.options, (line) => console.log(line));
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof TransferError ? error : null;
    console.error(known ? known.message : `The transfer failed: ${describeStartError(error)}`);
    process.exit(known?.exitCode ?? exitCodes.failed);
  },
);
