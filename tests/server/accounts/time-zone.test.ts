import { afterAll, beforeAll, expect, test } from 'vitest';
import { zoneNamed, zoneOfAccount } from '#server/accounts/time-zone.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test("an account's zone is UTC+7 until it chooses another one", async () => {
  const { userId } = await server.addAccount();
  expect((await zoneOfAccount(server.db.orm, userId)).name).toBe(null);
  await server.db.pool.query("UPDATE users SET time_zone = 'Europe/Paris' WHERE id = $1", [userId]);
  expect((await zoneOfAccount(server.db.orm, userId)).name).toBe('Europe/Paris');
});

test('a name that this machine does not know counts as UTC+7', () => {
  expect(zoneNamed('Mars/Olympus').name).toBe(null);
});

test('the same zone object is returned for the same name', () => {
  expect(zoneNamed('Asia/Tokyo')).toBe(zoneNamed('Asia/Tokyo'));
});
