import { runCommand } from '../start/command.ts';
import { distribute } from './distribute.ts';
import { help, readArgs } from './options.ts';

const args = readArgs(process.argv.slice(2), process.env);
runCommand({ name: 'distribute', help, args, run: distribute, failure: 'It failed' });
