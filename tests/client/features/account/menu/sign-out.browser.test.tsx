import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Notices } from '#client/features/changes/status/notices.tsx';
import { closeSession, getSession, handleUnauthorized } from '#client/session/session.ts';
import { deviceDbName } from '#client/store/device-db-name.ts';
import { waitForAnswer } from '#client/store/outbox/op-answer.ts';
import { addPhotos } from '#client/store/photos/photos.ts';
import { trackPreparation } from '#client/store/photos/preparation.ts';
import { reportStorageProblem } from '#client/store/storage-problem.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import { announced, pullPlants, zed } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { render } from '../../../../support/component/render.tsx';
import { deferred } from '../../../../support/deferred.ts';

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
  await expect.poll(() => app.url()).toMatch(/^\/signin/);
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
  await expect.poll(() => app.url()).toMatch(/^\/signin/);
  older.close();
  await expect.poll(databaseNames).not.toContain(db.name);
});

test('signing out reports no storage problem while another tab still uses the deleted database', async () => {
  const db = await signInAs();
  await openApp('/dashboard/settings');
  await db.open();
  const elsewhere = await openElsewhere(db.name, db.verno * 10);
  // Called after the app's own listener.
  const isBlocked = new Promise<void>((resolve) => db.on('blocked', () => resolve()));
  await signOut();
  await isBlocked;
  expect(db.storageProblem.current).toBeNull();
  elsewhere.close();
  await expect.poll(databaseNames).not.toContain(db.name);
});

test('a storage problem that is reported after the session has ended does not break the screen', async () => {
  const db = await signInAs();
  await render(
    <Notices waitingNotice={null} undoNotice={null}>
      {null}
    </Notices>,
  );
  closeSession();
  reportStorageProblem(db.storageProblem, 'broken');
  const notice = page.getByRole('alert', { name: 'Notice' });
  await expect.element(notice).toHaveTextContent('Your plants cannot be read from this device');
});

test('signing out waits for photos that are being prepared, and then asks about those that were not sent', async () => {
  const db = await signInAs();
  await pullPlants(db, [zed()]);
  const app = await openApp('/dashboard');
  const prepared = deferred();
  void trackPreparation(prepared.promise);
  await signOut();
  await expect.element(button('Signing out...')).toBeDisabled();
  const photo = { full: new ArrayBuffer(1), small: new ArrayBuffer(1), width: 1, height: 1 };
  const taken = { ...photo, takenAt: Date.now(), entryId: null };
  await addPhotos(db, 'zed', [taken], Date.now());
  expect(app.url()).toBe('/dashboard');
  prepared.resolve();
  await expect.element(page.getByText('1 change has not reached the server.')).toBeVisible();
  expect(app.url()).toBe('/dashboard');
});

test('after sign-out with Discard, a watering that was not sent is not announced as done', async () => {
  const db = await signInAs();
  await pullPlants(db, [zed()]);
  const app = await openApp('/dashboard');
  await button('Water Now: Zed').click();
  await signOut();
  await expect.element(page.getByText('1 change has not reached the server.')).toBeVisible();
  const [op] = await db.outbox.toArray();
  // The app waits for the same answer, and began earlier.
  const answered = waitForAnswer(db, op?.opId ?? '');
  const sentences = collectAnnouncements();
  await button('Discard and sign out').click();
  expect(await answered).toEqual({ type: 'done' });
  await expect.poll(() => app.url()).toMatch(/^\/signin/);
  await expect.poll(databaseNames).not.toContain(db.name);
  expect(sentences().join()).not.toMatch(/Zed watered(?!, waiting)|saved/);
});

test.each([
  ['Discard and sign out', false, null],
  ['Stay signed in', true, 'Authentication required'],
])(
  'if the session expires during a sign-out, the question about unsent changes is asked; after %s the data is kept: %s',
  async (answer, isKept, message) => {
    const db = await signInAs();
    await pullPlants(db, [zed()]);
    const app = await openApp('/dashboard');
    await button('Water Now: Zed').click();
    await signOut();
    await expect.element(button('Signing out...')).toBeDisabled();
    await handleUnauthorized('a.b.c');
    await expect.element(page.getByText('1 change has not reached the server.')).toBeVisible();
    await button(answer).click();
    await expect.poll(() => app.url()).toMatch(/^\/signin/);
    await expect.poll(async () => (await databaseNames()).includes(db.name)).toBe(isKept);
    expect(getSession()).toMatchObject({ status: 'signed-out', message });
  },
);

/** Returns a function that returns all that was announced since. */
function collectAnnouncements(): () => string[] {
  const sentences = new Set<string>();
  const observer = new MutationObserver(() => sentences.add(announced() ?? ''));
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  return () => [...sentences];
}
