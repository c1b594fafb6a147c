import pg from 'pg';
import { inject } from 'vitest';
import { type Database, databaseOver } from '#server/database/database.ts';
import type { App } from '#server/http/fastify-app.ts';
import { makeTestDatabase } from '../../../support/database.ts';
import { addUser, login, openTestApp } from '../../../support/server.ts';
import type { ModelAccount } from './world.ts';

/** One lane of schedules: a server of its own clock on the database that all share. */
export interface Lane {
  app: App;
  /** The server's clock, ms. */
  now: number;
  restart: () => Promise<void>;
  addAccount: () => Promise<ModelAccount>;
  signIn: (account: ModelAccount) => Promise<string>;
  endSessions: (account: ModelAccount) => Promise<void>;
  /** Moments (ms) at which the account's plants were watered, by plant. */
  wateringsOf: (account: ModelAccount) => Promise<{ plantId: string; moment: number }[]>;
}

export interface ModelServer {
  openLane: () => Promise<Lane>;
  close: () => Promise<void>;
}

/** The real server. Its database need not survive a power cut, so that a commit costs no wait for the disk. */
export async function openModelServer(): Promise<ModelServer> {
  const { name, drop } = await makeTestDatabase();
  const pool = new pg.Pool({
    ...inject('postgres'),
    database: name,
    max: 8,
    options: '-c synchronous_commit=off',
  });
  const db = databaseOver(pool, { close: drop });
  const lanes: Lane[] = [];
  return {
    openLane: async () => {
      const lane = await openLane(db);
      lanes.push(lane);
      return lane;
    },
    close: async () => {
      for (const { app } of lanes) await app.close();
      await db.close();
    },
  };
}

let accounts = 0;

async function openLane(db: Database): Promise<Lane> {
  const clock = () => new Date(lane.now);
  const open = () => openTestApp({ db, clock });
  const lane: Lane = {
    now: Date.parse('2026-11-20T08:00:00Z'),
    app: await open(),
    restart: async () => {
      const old = lane.app;
      lane.app = await open();
      await old.close();
    },
    addAccount: async () => {
      accounts += 1;
      const email = `model${accounts}@example.org`;
      const ready = Object.assign(clock, { advance: () => undefined });
      return { email, userId: await addUser(db, ready, email) };
    },
    signIn: ({ email }) => login(lane.app, email, 'secret-garden', true),
    endSessions: async ({ userId }) => {
      await db.pool.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
    },
    wateringsOf: async ({ userId }) => {
      const { rows } = await db.pool.query<{ plant_id: string; watered_at: Date }>(
        'SELECT plant_id, watered_at FROM waterings WHERE user_id = $1',
        [userId],
      );
      return rows.map((row) => ({ plantId: row.plant_id, moment: row.watered_at.getTime() }));
    },
  };
  return lane;
}
