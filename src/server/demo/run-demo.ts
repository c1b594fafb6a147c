import { runAccountDevices } from '#simulator/account-devices.ts';
import { simulateHistory } from '#simulator/world/climate.ts';
import { argon2Hasher } from '../accounts/password.ts';
import type { Database } from '../database/database.ts';
import { isOverloaded } from '../database/lost-connections.ts';
import { climateOf, demoAccount, insertDemo } from './seed-demo.ts';

const reportEveryMs = 60_000;

const maxAttempts = 12;

/**
 * Inserts the demo account with its plants, up to 30 days of readings, and journals, unless it exists. While another
 * process is inserting it, this one waits. A statement may wait only for a limited time, so an insertion that the
 * database has canceled, for this or another reason, is repeated.
 */
export async function seedDemo(db: Database, now: Date): Promise<void> {
  const options = { db, now, hashPassword: argon2Hasher.hash, simulateHistory };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await insertDemo(options);
      return;
    } catch (error) {
      if (attempt === maxAttempts || !isOverloaded(error)) throw error;
    }
  }
}

/**
 * Starts the demo's simulated devices. They report over HTTP, signed in as the demo account, until `signal` aborts or
 * its password is rejected.
 */
export function startDemoDevices(baseUrl: string, signal: AbortSignal): void {
  void runAccountDevices({
    fetch,
    baseUrl,
    usernameOrEmail: demoAccount.email,
    password: demoAccount.password,
    everyMs: reportEveryMs,
    now: Date.now,
    surroundingsOf: climateOf,
    signal,
    onError: (message) => console.error('Demo sensors:', message),
  });
}
