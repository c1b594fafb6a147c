import { findChromium } from '#build/find-chromium.ts';
import { buildIfNeeded } from '../../../src/build/build-if-needed.mjs';
import { addressOf, asAdmin, type TestPostgres } from '../../support/postgres.ts';
import type { SetupProject } from '../../support/provided.ts';
import { type StartOptions, startServer } from '../../support/server-process.ts';
import { jwtSecret } from './app-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A template with the demo garden and its 30 days of readings, so that servers need not create them. */
    demoDatabase: string;
  }
}

/** Builds the app, installs Chromium if there is none, and prepares the demo database. */
export async function setup(project: SetupProject): Promise<void> {
  findChromium();
  buildIfNeeded();
  project.provide('demoDatabase', await seedDemo(project));
}

async function seedDemo(project: SetupProject): Promise<string> {
  const { postgres, templateDatabase } = project.getProvidedContext();
  const name = `${templateDatabase}_demo`;
  await asAdmin(postgres, `CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`);
  const server = await startServer(demoServer(postgres, name));
  // One with open connections cannot be cloned.
  server.signal('SIGTERM');
  await server.ended;
  return name;
}

/** How to start the built server with the demo garden in this database. */
export function demoServer(postgres: TestPostgres, database: string): StartOptions {
  return {
    env: { DATABASE_URL: addressOf(postgres, database), JWT_SECRET: jwtSecret, DEMO: '1' },
  };
}
