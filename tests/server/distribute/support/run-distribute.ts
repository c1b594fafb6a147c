import {
  type EndedCommand,
  type RunningCommand,
  startCommand,
} from '../../../support/run-command.ts';

export function startDistribute(databaseUrl: string, ...args: string[]): RunningCommand {
  return startCommand('distribute', { DATABASE_URL: databaseUrl }, args);
}

export function runDistribute(databaseUrl: string, ...args: string[]): Promise<EndedCommand> {
  return startDistribute(databaseUrl, ...args).ended;
}
