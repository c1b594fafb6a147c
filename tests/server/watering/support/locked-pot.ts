import { expect } from 'vitest';
import type { DeviceCommand } from '#contract/logs.ts';
import type { TestServer } from '../../../support/server/server.ts';
import { hourMs, openPot, type Pot } from '../../../support/server/soil.ts';

/** Gets a command that the device never reports, then waits an hour. */
export async function waterInVain(server: TestServer, pot: Pot): Promise<DeviceCommand> {
  const command = await pot.reportDrySoil();
  server.clock.advance(hourMs);
  return command;
}

export async function isLocked({ db }: TestServer, { id }: Pot): Promise<boolean> {
  const { rows } = await db.pool.query<{ isLocked: boolean }>(
    'SELECT auto_watering_locked AS "isLocked" FROM plants WHERE id = $1',
    [id],
  );
  return rows[0]?.isLocked === true;
}

/** A pot whose automatic watering is locked after three commands without effect, and the last of these commands. */
export async function openLockedPot(
  server: TestServer,
): Promise<{ pot: Pot; last: DeviceCommand }> {
  const pot = await openPot(server);
  for (let n = 0; n < 2; n += 1) await waterInVain(server, pot);
  const last = await waterInVain(server, pot);
  expect(await pot.reportSoil(20, 20, 20)).toEqual([]);
  expect(await isLocked(server, pot)).toBe(true);
  return { pot, last };
}
