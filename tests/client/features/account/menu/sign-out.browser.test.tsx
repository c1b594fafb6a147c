import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { deviceDbName } from '#client/store/device-db-name.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

beforeEach(() => {
  fakeApi();
});

const question = () =>
  page.getByRole('dialog').getByText('some changes may not have reached the server');
const databaseNames = async () => (await indexedDB.databases()).map(({ name }) => name);

/** Opens a database with this version number, as another tab would, and ignores requests to close it. */
async function openElsewhere(name: string, version: number): Promise<IDBDatabase> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  onTestFinished(() => db.close());
  return db;
}

async function signOut(): Promise<void> {
  await button('User menu').click();
  await button('Sign Out').click();
}

test('signing out asks first when the database cannot be read, because it may contain unsent changes', async () => {
  const db = await signInAs();
  const app = await openApp('/dashboard/settings');
  await db.open();
  const newer = await openElsewhere(db.name, 1_000);
  newer.close();
  await signOut();
  await expect.element(question()).toBeVisible();
  await button('Stay signed in').click();
  await expect.element(question()).not.toBeInTheDocument();
  await signOut();
  await button('Discard and sign out').click();
  await expect.poll(() => app.address()).toMatch(/^\/signin/);
  await expect.poll(databaseNames).not.toContain(db.name);
});

test('closing the question about signing out returns the focus to the user menu', async () => {
  const email = 'busy@example.org';
  const older = await openElsewhere(deviceDbName(email), 1);
  await signInAs({ email });
  await openApp('/dashboard/settings');
  await signOut();
  await expect.element(button('Signing out...')).toBeDisabled();
  await expect.element(question()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  // The clean-up after the test opens and deletes the database, which `older` would block.
  older.close();
  await expect.element(button('User menu')).toHaveFocus();
});

test('signing out works while another tab blocks the database, which is deleted once it is free', async () => {
  const email = 'blocked@example.org';
  const older = await openElsewhere(deviceDbName(email), 1);
  const db = await signInAs({ email });
  const app = await openApp('/dashboard/settings');
  await signOut();
  await expect.element(button('Signing out...')).toBeDisabled();
  await expect.element(question()).toBeVisible();
  await button('Discard and sign out').click();
  await expect.poll(() => app.address()).toMatch(/^\/signin/);
  older.close();
  await expect.poll(databaseNames).not.toContain(db.name);
});
