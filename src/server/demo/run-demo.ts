import { startFeeder } from '#simulator/feeder.ts';
import { simulateHistory } from '#simulator/world/history.ts';
import { argon2Hasher } from '../accounts/password.ts';
import type { Database } from '../database/database.ts';
import { climateOf } from './demo-plants.ts';
import { demoAccount, seedDemo } from './seed-demo.ts';

const reportEveryMs = 60_000;

/** The demo account with its plants and their last 30 days, unless it is there already. */
export async function plantDemoGarden(db: Database, now: Date): Promise<void> {
  await seedDemo({ db, now, hashPassword: argon2Hasher.hash, simulateHistory });
}

/** The demo's virtual devices: they report over HTTP, as a real one would, until `signal` aborts. */
export function feedDemoGarden(baseUrl: string, signal: AbortSignal): void {
  void startFeeder({
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
