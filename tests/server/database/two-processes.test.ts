import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deltaManipulation } from '#contract/plant-delta.ts';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { makeTestDatabase } from '../../support/database/database.ts';
import { plantPayload } from '../../support/factories.ts';
import { type ServerProcess, startServer } from '../../support/server/server-process.ts';
import { type Person, signIn, signUp } from '../../support/server/sign-up.ts';

const person: Person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };
const demo: Person = { username: '', email: 'demo@sprig.local', password: 'demo-garden' };

const patience = { timeout: 20_000 };

interface Place {
  env: Record<string, string>;
  clear: () => Promise<void>;
}

/** Empty databases, so that the two processes also create the schema in parallel. */
const places: Record<string, () => Promise<Place>> = {
  DATA_DIR: async () => {
    const dataDir = reachableDataDir();
    return { env: { DATA_DIR: dataDir }, clear: () => removeDataDir(dataDir) };
  },
  DATABASE_URL: async () => {
    const dataDir = reachableDataDir();
    const { url, drop } = await makeTestDatabase({ migrated: false });
    const secret = 'a secret that is long enough for tests';
    return {
      env: { DATA_DIR: dataDir, DATABASE_URL: url, JWT_SECRET: secret },
      clear: async () => {
        await removeDataDir(dataDir);
        await drop();
      },
    };
  },
};

describe.each(Object.entries(places))('two processes on one %s', (_, openPlace) => {
  let place: Place;
  let one: ServerProcess;
  let other: ServerProcess;
  beforeAll(async () => {
    place = await openPlace();
    const env = { ...place.env, DEMO: '1' };
    [one, other] = await Promise.all([startServer({ env }), startServer({ env })]);
    // Either process may send the email.
    await signUp(one, person, [one, other]);
  });
  afterAll(async () => {
    await Promise.all([one.kill(), other.kill()]);
    await place.clear();
  });

  test('two processes that start at the same time on an empty database both work and share one demo garden', async () => {
    for (const { url } of [one, other]) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      const token = await signIn(url, demo);
      expect(await (await requestAs(token, url)('GET', '/api/plants')).json()).toHaveLength(12);
    }
  });

  test('a session is valid on both processes and ends on both', async () => {
    const token = await signIn(one.url, person);
    const [here, there] = [requestAs(token, one.url), requestAs(token, other.url)];
    expect((await there('GET', '/auth/me')).status).toBe(200);
    expect((await here('POST', '/auth/logout')).status).toBe(200);
    expect((await there('GET', '/auth/me')).status).toBe(401);
  });

  test('a plant changed on one process has the new version on the other', async () => {
    const token = await signIn(other.url, person);
    const [here, there] = [requestAs(token, one.url), requestAs(token, other.url)];
    const made = await here('POST', '/api/plants', { body: plantPayload() });
    const { id } = (await made.json()) as { id: string };
    const ifMatch = made.headers.get('etag') ?? '';
    const edit = { body: plantPayload({ nickname: 'Edited' }), ifMatch };
    expect((await there('PUT', `/api/plants/${id}`, edit)).status).toBe(200);
    const late = await here('PUT', `/api/plants/${id}`, edit);
    expect(late.status).toBe(412);
    expect(await late.json()).toMatchObject({ nickname: 'Edited' });
  });

  test('one idempotency key sent to both in parallel has one effect and one response', async () => {
    const token = await signIn(one.url, person);
    const requests = [requestAs(token, one.url), requestAs(token, other.url)];
    const create = { body: plantPayload({ nickname: 'Once' }), key: 'burst' };
    const sent = Array.from({ length: 20 }, (_, i) =>
      requests[i % 2]?.('POST', '/api/plants', create),
    );
    const responses = await Promise.all(sent);
    expect(new Set(responses.map((response) => response?.status))).toEqual(new Set([201]));
    const bodies = await Promise.all(responses.map((response) => response?.text()));
    expect(new Set(bodies).size).toBe(1);
    const replayed = responses.filter((response) => response?.headers.get('idempotent-replayed'));
    expect(replayed).toHaveLength(19);
    const list = (await (
      await requestAs(token, other.url)('GET', '/api/plants')
    ).json()) as object[];
    expect(list.filter((plant) => 'nickname' in plant && plant.nickname === 'Once')).toHaveLength(
      1,
    );
  });

  test('while both write in parallel, deltas requested from each in turn contain every new plant exactly once', async () => {
    const token = await signIn(one.url, person);
    const requests = [requestAs(token, one.url), requestAs(token, other.url)] as const;
    let etag = (await requests[0]('GET', '/api/plants')).headers.get('etag') ?? '';
    const made: string[] = [];
    const seen: string[] = [];
    const write = async (request: (typeof requests)[number]) => {
      for (let i = 0; i < 15; i += 1) {
        const response = await request('POST', '/api/plants', { body: plantPayload() });
        made.push(((await response.json()) as { id: string }).id);
      }
    };
    const pull = async (request: (typeof requests)[number]) => {
      const response = await request('GET', '/api/plants', { delta: etag });
      if (response.status === 304) return;
      expect(response.status).toBe(226);
      etag = response.headers.get('etag') ?? '';
      const { changed } = (await response.json()) as { changed: { id: string }[] };
      seen.push(...changed.map(({ id }) => id));
    };
    let isWriting = true;
    const written = Promise.all(requests.map(write)).finally(() => {
      isWriting = false;
    });
    for (let turn = 0; isWriting; turn += 1) await pull(requests[turn % 2 === 0 ? 0 : 1]);
    await written;
    for (const request of requests) await pull(request);
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  test('each process keeps working while the other one is killed and restarted', async () => {
    const token = await signIn(one.url, person);
    const plants = async ({ url }: ServerProcess) =>
      await (await requestAs(token, url)('GET', '/api/plants')).text();
    const before = await plants(one);
    // Kill both in turn: the embedded database, if it is used, stops with the process that started it.
    for (let turn = 0; turn < 2; turn += 1) {
      await one.kill();
      await expect.poll(() => plants(other), patience).toBe(before);
      [one, other] = [other, await startServer({ env: place.env })];
      await expect.poll(() => plants(one), patience).toBe(before);
      await expect.poll(() => plants(other), patience).toBe(before);
    }
  });
});

interface RequestOptions {
  body?: object;
  key?: string;
  ifMatch?: string;
  /** Requests the delta since this ETag. */
  delta?: string;
}

function requestAs(token: string, url: string) {
  return (method: string, path: string, { body, key, ifMatch, delta }: RequestOptions = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...(ifMatch && { 'if-match': ifMatch }),
        ...(delta && { 'a-im': deltaManipulation, 'if-none-match': delta }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
}
