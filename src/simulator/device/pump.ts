import type { CommandResult, DeviceCommand } from '#contract/logs.ts';

/** A device's pump with the commands it has seen and the results it has still to report. */
export interface Pump {
  tankIsEmpty: boolean;
  /** Ids of all commands it has received; none runs twice. */
  known: Set<string>;
  /** Sent with every log until one that carried them is answered. */
  unreported: CommandResult[];
}

export function createPump(tankIsEmpty = false): Pump {
  return { tankIsEmpty, known: new Set(), unreported: [] };
}

/**
 * Runs each command that is new and has not expired at `serverNow` (ms by the server's clock); returns the ml that ran.
 * A command that cannot run is reported as failed with 0 ml, so that the server does not count it as water.
 */
export function runCommands(
  pump: Pump,
  commands: readonly DeviceCommand[],
  serverNow: number,
): number {
  let ran = 0;
  for (const { id, amount_ml, expires_at } of commands) {
    if (pump.known.has(id)) continue;
    pump.known.add(id);
    const runs = !pump.tankIsEmpty && serverNow < Date.parse(expires_at);
    pump.unreported.push({ id, status: runs ? 'done' : 'failed', amount_ml: runs ? amount_ml : 0 });
    if (runs) ran += amount_ml;
  }
  return ran;
}

/** Forgets results that reached the server. */
export function removeReported(pump: Pump, reported: readonly CommandResult[]): void {
  pump.unreported = pump.unreported.filter((result) => !reported.includes(result));
}
