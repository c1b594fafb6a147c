import pg from 'pg';
import * as v from 'valibot';
import { inject } from 'vitest';
import { journalRequest, plantJournalSchema } from '#contract/journal.ts';
import { photosAnswerSchema, photosRequest } from '#contract/photos.ts';
import { plantPaths } from '#contract/plants.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { type Database, databaseOver } from '#server/database/database.ts';
import type { App } from '#server/http/app-deps.ts';
import { makeTestDatabase } from '../../../support/database.ts';
import { addUser, bearer, login, openTestApp } from '../../../support/server.ts';
import type { ExpectedEntry } from './journal-log.ts';
import type { ModelAccount } from './simulation.ts';

/** The real server with a clock of its own. One schedule runs on it at a time. */
export interface ModelServer {
  app: App;
  /** The server's clock, ms. */
  now: number;
  restart: () => Promise<void>;
  addAccount: () => Promise<ModelAccount>;
  signIn: (account: ModelAccount) => Promise<string>;
  endSessions: (account: ModelAccount) => Promise<void>;
  /** The entries of the account's journals, by plant. */
  journalsOf: (account: ModelAccount) => Promise<Map<string, ExpectedEntry[]>>;
  /** The ids of the photos of the account's plants, by plant. */
  photosOf: (account: ModelAccount) => Promise<Map<string, string[]>>;
  /** The version of each of the account's plants. */
  versionsOf: (account: ModelAccount) => Promise<Map<string, number>>;
  /** The account's plants as a device would pull them. */
  plantsOf: (account: ModelAccount) => Promise<PlantRecord[]>;
}

export interface ModelServers {
  open: () => Promise<ModelServer>;
  close: () => Promise<void>;
}

/** Servers that share one database. It need not survive a power failure, so commits do not wait for the disk. */
export async function createModelServers(): Promise<ModelServers> {
  const { name, drop } = await makeTestDatabase();
  const pool = new pg.Pool({
    ...inject('postgres'),
    database: name,
    max: 8,
    options: '-c synchronous_commit=off',
  });
  const db = databaseOver(pool, { close: drop });
  const servers: ModelServer[] = [];
  return {
    open: async () => {
      const server = await openModelServer(db);
      servers.push(server);
      return server;
    },
    close: async () => {
      for (const { app } of servers) await app.close();
      await db.close();
    },
  };
}

let accounts = 0;

async function openModelServer(db: Database): Promise<ModelServer> {
  const time = { now: Date.parse('2026-11-20T08:00:00Z') };
  const clock = () => new Date(time.now);
  const open = () => openTestApp({ db, clock });
  const server: ModelServer = {
    get now() {
      return time.now;
    },
    set now(now) {
      time.now = now;
    },
    app: await open(),
    restart: async () => {
      const old = server.app;
      server.app = await open();
      await old.close();
    },
    addAccount: async () => {
      accounts += 1;
      const email = `model${accounts}@example.org`;
      const testClock = Object.assign(clock, { advance: () => undefined });
      return { email, userId: await addUser(db, testClock, email) };
    },
    signIn: ({ email }) => login(server.app, email, 'secret-garden', true),
    endSessions: async ({ userId }) => {
      await db.pool.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
    },
    journalsOf: async (account) => {
      const headers = bearer({ token: await server.signIn(account) });
      const journals = new Map<string, ExpectedEntry[]>();
      for (const { id } of await server.plantsOf(account)) {
        const { method, path: url } = journalRequest(id);
        const answer = await server.app.inject({ method: method as 'GET', url, headers });
        const { entries } = v.parse(plantJournalSchema, answer.json());
        journals.set(
          String(id),
          entries.map((entry) => ({ ...entry, at: Date.parse(entry.at) })),
        );
      }
      return journals;
    },
    photosOf: async (account) => {
      const headers = bearer({ token: await server.signIn(account) });
      const photos = new Map<string, string[]>();
      for (const { id } of await server.plantsOf(account)) {
        const { method, path: url } = photosRequest(id);
        const answer = await server.app.inject({ method: method as 'GET', url, headers });
        const found = v.parse(photosAnswerSchema, answer.json()).photos;
        photos.set(
          String(id),
          found.map((photo) => photo.id),
        );
      }
      return photos;
    },
    versionsOf: async ({ userId }) => {
      const { rows } = await db.pool.query<{ id: string; version: number }>(
        'SELECT id, version FROM plants WHERE user_id = $1',
        [userId],
      );
      return new Map(rows.map(({ id, version }) => [id, Number(version)]));
    },
    plantsOf: async (account) => {
      const headers = bearer({ token: await server.signIn(account) });
      return (await server.app.inject({ url: plantPaths.all, headers })).json();
    },
  };
  return server;
}
