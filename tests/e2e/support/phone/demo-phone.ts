import fs from 'node:fs';
import { addressOf } from '../../../support/database/postgres.ts';
import type { SetupProject } from '../../../support/provided.ts';
import { startServer } from '../../../support/server/server-process.ts';
import { signIn, untilInstalledForGood } from '../screens/garden.ts';
import { demoSettings } from '../server/app-server.ts';
import { openPhone } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The profile of a phone with the app installed and the demo account signed in. */
    demoPhone: string;
  }
}

/** Prepares a phone that test files copy, because installing the app takes more CPU than most tests. */
export async function setup(project: SetupProject): Promise<() => void> {
  const { postgres, demoDatabase } = project.getProvidedContext();
  const server = await startServer({ env: demoSettings(addressOf(postgres, demoDatabase)) });
  const phone = await openPhone(server.url);
  await signIn(phone.page);
  await untilInstalledForGood(phone.page);
  await phone.context.close();
  // Tests clone the database, which now has this session. A database with open connections cannot be cloned.
  server.signal('SIGTERM');
  await server.ended;
  project.provide('demoPhone', phone.profile);
  return () => fs.rmSync(phone.profile, { recursive: true, force: true });
}
