import * as v from 'valibot';
import { inject } from 'vitest';
import { journalRequest, plantJournalSchema } from '#contract/journal.ts';
import { photoPaths, photosResponseSchema } from '#contract/photos.ts';
import { plantPaths } from '#contract/plants.ts';
import { type ApiRequest, pathFor } from '#contract/request.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import type { App } from '#server/http/app-deps.ts';
import { makeTestDatabase } from '../../../support/database/database.ts';
import { addUser, bearer, login, openTestApp } from '../../../support/server/server.ts';
import type { ExpectedEntry } from './checks/journal-log.ts';
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
  /** The version of each of the account's plants. */
  versionsOf: (account: ModelAccount) => Promise<Map<string, number>>;
  /** Everything that the account has. */
  contentOf: (account: ModelAccount) => Promise<AccountContent>;
}

/** What an account has on the server, as a device would read it. */
export interface AccountContent {
  plants: PlantRecord[];
  /** The entries of each journal, by plant. */
  journals: Map<string, ExpectedEntry[]>;
  /** The ids of the photos, by plant. */
  photos: Map<string, string[]>;
  /** The entry of each photo, by the photo's id; null for a photo without an entry. */
  entryOfPhoto: Map<string, string | null>;
}

export interface ModelServers {
  open: () => Promise<ModelServer>;
  close: () => Promise<void>;
}

/** Servers that share one database. It need not survive a power failure, so commits do not wait for the disk. */
export async function createModelServers(): Promise<ModelServers> {
  const { name, drop } = await makeTestDatabase();
  const pool = openPool({
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
    versionsOf: async ({ userId }) => {
      const { rows } = await db.pool.query<{ id: string; version: number }>(
        'SELECT id, version FROM plants WHERE user_id = $1',
        [userId],
      );
      return new Map(rows.map(({ id, version }) => [id, Number(version)]));
    },
    contentOf: async (account) => readContent(server.app, await server.signIn(account)),
  };
  return server;
}

async function readContent(app: App, token: string): Promise<AccountContent> {
  const get = async ({ path: url }: Pick<ApiRequest, 'path'>): Promise<unknown> =>
    (await app.inject({ url, headers: bearer({ token }) })).json();
  const plants = (await get({ path: plantPaths.all })) as PlantRecord[];
  const content: AccountContent = {
    plants,
    journals: new Map(),
    photos: new Map(),
    entryOfPhoto: new Map(),
  };
  for (const { id } of plants) {
    const { entries } = v.parse(plantJournalSchema, await get(journalRequest(id)));
    const { photos } = v.parse(
      photosResponseSchema,
      await get({ path: pathFor(photoPaths.ofPlant, id) }),
    );
    content.journals.set(
      String(id),
      entries.map((entry) => ({ ...entry, at: Date.parse(entry.at) })),
    );
    content.photos.set(
      String(id),
      photos.map((photo) => photo.id),
    );
    for (const photo of photos) content.entryOfPhoto.set(photo.id, photo.entry_id);
  }
  return content;
}
