import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { BatchPayload } from '#contract/batch.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { AppOptions } from '#server/start/app.ts';
import { type Device, openDevice } from '../../../support/device/device.ts';
import type { SentRequest } from '../../../support/device/network.ts';
import { runningClock } from '../../../support/server/clock.ts';
import {
  type Account,
  bearer,
  openTestServer,
  type TestServer,
} from '../../../support/server/server.ts';

/** The set-up of a test file: one server for all tests, and a new account and device for each test. */
export interface Engine {
  readonly server: TestServer;
  readonly account: Account;
  readonly device: Device;
  /** What the server has, as another device would see it. */
  serverPlants: () => Promise<(PlantRecord & { id: string })[]>;
  /** Moments (ms) of a plant's waterings on the server, oldest first. */
  wateringsOf: (plantId: string) => Promise<number[]>;
  /** A change by another device of the account. */
  elsewhere: (
    method: 'PUT' | 'PATCH' | 'DELETE' | 'POST',
    url: string,
    payload?: object,
  ) => Promise<void>;
  /**
   * The device's requests with the status of the response, e.g. `PUT /api/plants/:id 200`. Queries are left out and
   * `:id` replaces a UUID.
   */
  requests: () => string[];
}

export function setUpEngine(changes: Partial<AppOptions> = {}): Engine {
  let server: TestServer | undefined;
  let account: Account | undefined;
  let device: Device | undefined;
  beforeAll(async () => {
    server = await openTestServer(runningClock(), changes);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    account = await engine.server.addAccount();
    device = openDevice(engine.server, account);
  });
  afterEach(() => device?.close());
  const engine: Engine = {
    get server() {
      return there(server);
    },
    get account() {
      return there(account);
    },
    get device() {
      return there(device);
    },
    serverPlants: async () => {
      const headers = bearer(engine.account);
      return (await engine.server.app.inject({ url: '/api/plants', headers })).json();
    },
    wateringsOf: async (plantId) => {
      const { rows } = await engine.server.db.pool.query<{ watered_at: Date }>(
        'SELECT watered_at FROM waterings WHERE plant_id = $1 ORDER BY watered_at',
        [plantId],
      );
      return rows.map((row) => row.watered_at.getTime());
    },
    elsewhere: async (method, url, payload) => {
      const headers = bearer(engine.account);
      const response = await engine.server.app.inject({
        method,
        url,
        headers,
        ...(payload && { payload }),
      });
      if (response.statusCode >= 300) throw new Error(response.body);
    },
    requests: () =>
      engine.device.network.sent.map(({ method, url, status }) => {
        const path = url.replace(/[0-9a-f-]{36}/, ':id').replace(/\?.*/, '');
        return `${method} ${path} ${status}`;
      }),
  };
  return engine;
}

/** The operations of a request to `POST /api/batch`. */
export function operationsIn({ body }: SentRequest): BatchPayload['operations'] {
  return (JSON.parse(body ?? '') as BatchPayload).operations;
}

function there<T>(made: T | undefined): T {
  if (made === undefined) throw new Error('only within a test');
  return made;
}
