import { findChromium } from '#build/find-chromium.ts';
import { buildIfNeeded } from '../../../../src/build/build-if-needed.mjs';
import { addressOf, asAdmin } from '../../../support/database/postgres.ts';
import type { SetupProject } from '../../../support/provided.ts';
import { startServer } from '../../../support/server/server-process.ts';
import { demoSettings } from './app-server.ts';

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
  const server = await startServer({ env: demoSettings(addressOf(postgres, name)) });
  // A database with open connections cannot be cloned.
  server.signal('SIGTERM');
  await server.ended;
  return name;
}
