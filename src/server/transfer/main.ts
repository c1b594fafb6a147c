import { runCommand } from '../start/command.ts';
import { help, readArgs } from './options.ts';
import { transfer } from './transfer.ts';

const args = readArgs(process.argv.slice(2), process.env);
runCommand({ name: 'transfer', help, args, run: transfer, failure: 'The transfer failed' });
