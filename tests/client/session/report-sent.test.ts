import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { reportSentOps } from '#client/session/report-sent.ts';
import { closeSession, getSession, openSession } from '#client/session/session.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { watchSyncStatus } from '#client/store/sync-status.ts';
import { plantRow } from '../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../support/device/fresh-db.ts';

let reports: unknown[];
let notifications: object[];
beforeEach(() => {
  reports = [];
  notifications = [{}];
  const active = { postMessage: (message: unknown) => reports.push(message) };
  const registration = { active, getNotifications: async () => notifications };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the service worker gets a report when no op waits any more, but not while one waits', async () => {
  const db = freshDb();
  await db.plants.put(plantRow());
  await addWatering(db, 'p1', Date.now());
  reportSentOps(db);
  reportSentOps(db);
  // A rejected op does not wait.
  await db.outbox.toCollection().modify({ state: 'rejected' });
  const report = { type: 'OUTBOX_SENT', dbName: db.name };
  await expect.poll(() => reports).toEqual([report]);
  await addWatering(db, 'p1', Date.now());
  await db.outbox.clear();
  await addWatering(db, 'p1', Date.now());
  expect(reports).toEqual([report]);
});

test('without a notification the service worker gets no report, and an account that is no longer followed causes none', async () => {
  const [first, second] = [freshDb(), freshDb()];
  await addWatering(first, 'p1', Date.now());
  reportSentOps(first);
  reportSentOps(second);
  const report = { type: 'OUTBOX_SENT', dbName: second.name };
  await expect.poll(() => reports).toEqual([report]);
  const ofFirst = listenTo(watchSyncStatus(first));
  await first.outbox.clear();
  await expect.poll(() => ofFirst.at(-1)?.waitingCount).toBe(0);
  expect(reports).toEqual([report]);
  notifications = [];
  await addWatering(second, 'p1', Date.now());
  await second.outbox.clear();
  expect(reports).toEqual([report]);
});

test('after the sign-out the outbox is no longer read', async () => {
  await openSession('a.b.c', { username: 'Rosa', email: 'rosa@garden.org', is_verified: true });
  const session = getSession();
  if (session.status !== 'signed-in') throw new Error('Not signed in');
  const { db } = session;
  onTestFinished(() => db.delete());
  reportSentOps(db);
  await expect.poll(() => watchSyncStatus(db).hasValue()).toBe(true);
  closeSession();
  expect(watchSyncStatus(db).hasValue()).toBe(false);
});
