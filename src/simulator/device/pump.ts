import type { CommandResult, DeviceCommand } from '#contract/logs.ts';

/** A device's pump: what it was told to do, and what it still has to tell. */
export interface Pump {
  tankIsEmpty: boolean;
  /** Ids of all commands it ever got; none runs twice. */
  known: Set<string>;
  /** Repeated with every log until one that carried them is answered. */
  untold: CommandResult[];
}

export function createPump(tankIsEmpty = false): Pump {
  return { tankIsEmpty, known: new Set(), untold: [] };
}

/**
 * Runs each command that is new and, at `serverNow` (ms by the server's clock), not over. Gives the ml that ran.
 * What cannot run is told as failed without a drop, so that the server need not count it as water.
 */
export function obey(pump: Pump, commands: readonly DeviceCommand[], serverNow: number): number {
  let ran = 0;
  for (const { id, amount_ml, expires_at } of commands) {
    if (pump.known.has(id)) continue;
    pump.known.add(id);
    const runs = !pump.tankIsEmpty && serverNow < Date.parse(expires_at);
    pump.untold.push({ id, status: runs ? 'done' : 'failed', amount_ml: runs ? amount_ml : 0 });
    if (runs) ran += amount_ml;
  }
  return ran;
}

/** Forgets results that reached the server. */
export function settle(pump: Pump, told: readonly CommandResult[]): void {
  pump.untold = pump.untold.filter((result) => !told.includes(result));
}
