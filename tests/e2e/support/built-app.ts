import { once } from 'node:events';
import { findChromium } from '#build/find-chromium.ts';
import { buildIfNeeded } from '../../../src/build/build-if-needed.mjs';
import { addressOf, asAdmin } from '../../support/postgres.ts';
import type { SetupProject } from '../../support/provided.ts';
import { saidReady, spawnServer } from '../../support/server-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string;
    /** A template with the demo garden and its 30 days of readings, so that servers need not create them. */
    demoDatabase: string;
  }
}

/** Builds the app and prepares the demo database for the e2e tests. */
export async function setup(project: SetupProject): Promise<void> {
  project.provide('chromium', findChromium());
  buildIfNeeded();
  project.provide('demoDatabase', await seedDemo(project));
}

async function seedDemo(project: SetupProject): Promise<string> {
  const { postgres, templateDatabase } = project.getProvidedContext();
  const name = `${templateDatabase}_demo`;
  await asAdmin(postgres, `CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`);
  const server = spawnServer({
    env: {
      DATABASE_URL: addressOf(postgres, name),
      JWT_SECRET: 'a secret that is long enough for tests',
      DEMO: '1',
    },
  });
  await saidReady(server);
  // A database with open connections cannot be used as a template.
  server.kill('SIGTERM');
  await once(server, 'exit');
  return name;
}
