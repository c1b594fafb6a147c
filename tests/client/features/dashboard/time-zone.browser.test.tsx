import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { getSession, openSession } from '#client/session/session.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';

let db: DeviceDb;
beforeEach(async () => {
  // The form accepts dates of the last year only.
  vi.setSystemTime('2026-11-24T12:00:00Z');
  fakeApi();
  db = await signInAs({ time_zone: 'America/New_York' });
  const next = { next_watering_date: '2027-03-14T07:30:00Z', last_watered: '2026-11-01T03:30:00Z' };
  await pullPlants(db, [monty(next)]);
});
afterEach(() => vi.useRealTimers());

const history = () => page.getByRole('tabpanel', { name: 'History' });

/** Opens the session with another time zone, as saving the profile does. */
async function moveTo(time_zone: string | null): Promise<void> {
  const session = getSession();
  if (session.status !== 'signed-in') throw new Error('Not signed in');
  await openSession(session.token, { ...session.user, time_zone });
}

test('the schedule and the details show times in the account’s zone', async () => {
  const app = await openApp('/dashboard/schedule');
  // Half an hour after the clocks have skipped 2:00 to 3:00.
  await expect.element(page.getByText('Next: Mar 14, 2027, 3:30 AM')).toBeVisible();
  await app.navigate('/dashboard?plant=monty');
  await expect.element(page.getByText('Oct 31, 2026, 11:30 PM')).toBeVisible();
});

test('a change of the zone changes the displayed times immediately', async () => {
  await openApp('/dashboard/schedule');
  await expect.element(page.getByText('Next: Mar 14, 2027, 3:30 AM')).toBeVisible();
  await moveTo('Pacific/Kiritimati');
  await expect.element(page.getByText('Next: Mar 14, 2027, 9:30 PM')).toBeVisible();
  await moveTo(null);
  await expect.element(page.getByText('Next: Mar 14, 2027, 2:30 PM')).toBeVisible();
});

test('a backdated entry keeps its moment when the zone changes before the entry is sent', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  await openApp('/dashboard?plant=monty&tab=history');
  await button('Add entry').click();
  await page.getByRole('menuitem', { name: 'Note…' }).click();
  await history().getByLabelText('Date and time').fill('2026-11-01T00:30');
  await history().getByLabelText('Note', { exact: true }).fill('A new leaf');
  await button('Add').click();
  await expect.element(history().getByRole('heading', { name: 'Nov 1, 2026' })).toBeVisible();
  const [op] = await db.outbox.toArray();
  // Summer time ends that day at 2:00.
  expect(op?.entry?.at).toBe(Date.parse('2026-11-01T04:30:00Z'));
  await moveTo('America/Los_Angeles');
  await expect.element(history().getByRole('heading', { name: 'Oct 31, 2026' })).toBeVisible();
  await expect.element(history().getByText('9:30 PM')).toBeVisible();
  expect(await db.outbox.toArray()).toEqual([op]);
});

/** Opens the form of an entry of Nov 10, 4:05:09 AM in UTC. */
async function openEntryForm(): Promise<void> {
  const entry = journalEntry({ id: 'a', type: 'pruned', at: '2026-11-10T04:05:09Z' });
  await db.journal.put(journalRow({ plantId: 'monty', entries: [entry] }));
  await openApp('/dashboard?plant=monty&tab=history');
  await history()
    .getByRole('button', { name: /^Actions for Pruned/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
}

test('the time of an entry is edited in the account’s zone', async () => {
  await openEntryForm();
  const date = history().getByLabelText('Date and time');
  await expect.element(date).toHaveValue('2026-11-09T23:05');
  await date.fill('2026-11-09T22:05');
  await button('Save').click();
  await expect.element(history().getByText('10:05 PM')).toBeVisible();
  const [op] = await db.outbox.toArray();
  expect(op?.entry?.at).toBe(Date.parse('2026-11-10T03:05:00Z'));
});

test('text typed into an entry stays when a change of the zone moves the entry to another day', async () => {
  await openEntryForm();
  const note = history().getByLabelText('Note (optional)');
  await note.fill('The lowest branch');
  await moveTo('Asia/Tokyo');
  await expect.element(note).toHaveValue('The lowest branch');
  await button('Save').click();
  await expect.element(history().getByRole('heading', { name: 'Nov 10, 2026' })).toBeVisible();
  await expect.element(history().getByText('The lowest branch')).toBeVisible();
});
