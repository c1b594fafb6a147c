import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { Op } from '#client/store/outbox/op.ts';
import { saveUploadProgress } from '#client/store/photos/upload-progress.ts';
import type { ConflictRow, DeviceDb } from '#client/store/schema.ts';
import { initialStatus } from '#client/store/sync-status.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import { type OpenApp, openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { opRow, plantRow, sentOnce } from '../../../../support/device/device-rows.ts';

const rejected = {
  ...sentOnce,
  state: 'rejected',
  edits: { location: 'Attic' },
  base: { location: 'Bathroom' },
  lastError: { message: 'location: Too dark', status: 422 },
} as const satisfies Partial<Op>;

const entry = {
  id: 'e1',
  type: 'snoozed',
  at: 1,
  note: null,
  amount_ml: null,
  days: 3,
} as const;

const conflict: ConflictRow = {
  id: 'c1',
  entity: 'p1',
  mine: { location: 'Attic' },
  theirs: { location: 'Cellar' },
  at: 1,
};

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await db.plants.add(plantRow());
});

const sheet = () => page.getByRole('dialog', { name: 'Changes' });
const liveRegion = () => document.querySelector('p[aria-live="polite"]')?.textContent;

async function openWith(
  ops: Partial<Op>[],
  address = '/dashboard/analytics?changes=1',
): Promise<OpenApp> {
  await db.outbox.bulkAdd(ops.map((op, index) => opRow({ seq: index + 1, ...op })));
  return openApp(address);
}

/** Presses the button now. `click` waits first. */
function press(control: Locator): void {
  control.element().dispatchEvent(new MouseEvent('click', { bubbles: true }));
}

/** Waits for all writes that have begun, and for what follows them at once. */
async function untilWritesAreDone(): Promise<void> {
  await db.transaction('rw', db.tables, () => db.outbox.count());
  await new Promise(requestAnimationFrame);
}

test('says that the server has everything if nothing waits', async () => {
  await openWith([]);
  const text = sheet().getByText('The server has everything that you did here.');
  await expect.element(text).toBeVisible();
});

test('lists a waiting change with its time and the reason why it waits', async () => {
  await db.syncState.put({ ...initialStatus, connectivity: 'offline' });
  await openWith([{ type: 'water', occurredAt: Date.now() }]);
  const item = sheet().getByRole('listitem');
  await expect.element(item.getByText('Water Fern')).toBeVisible();
  await expect
    .element(item.getByText(/^tapped \d+:\d\d [AP]M, waiting for network$/))
    .toBeVisible();
  await expect
    .element(page.getByText('1 change waiting', { exact: true }).first())
    .toBeInTheDocument();
});

test('shows the upload progress of the photo that is being sent', async () => {
  const photo = { id: 'f1', entryId: null, takenAt: 1, width: 4, height: 3 };
  await openWith([
    { ...sentOnce, type: 'add_photo', opId: 'first', photo, state: 'inflight' },
    { type: 'add_photo', opId: 'second', photo: { ...photo, id: 'f2' } },
  ]);
  const bars = sheet().getByRole('progressbar');
  await expect.element(sheet().getByRole('listitem').nth(1)).toBeVisible();
  expect(bars.elements()).toEqual([]);
  await saveUploadProgress(db, { opId: 'first', share: 0.42 });
  await expect.element(bars).toHaveAccessibleName('Add photo of Fern: 42 % sent');
  const item = sheet().getByRole('listitem').first();
  await expect.element(item.getByText(/, waiting, 42 % sent$/)).toBeVisible();
  expect(bars.element().clientWidth).toBeGreaterThan(item.element().clientWidth - 50);
  await db.syncState.put({ ...initialStatus, connectivity: 'unreachable' });
  await expect.element(sheet().getByText(/, waiting for the server$/)).toBeVisible();
  await expect.element(item.getByText(/, waiting, 42 % sent$/)).toBeVisible();
  await db.syncState.put({ ...initialStatus, connectivity: 'online' });
  await saveUploadProgress(db, { opId: 'first', share: 1 });
  await expect.element(item.getByText(/, sent, waiting for the answer$/)).toBeVisible();
  await saveUploadProgress(db, { opId: 'second', share: 0 });
  await expect.element(bars).not.toBeInTheDocument();
});

test('shows at most 50 waiting changes and counts the others', async () => {
  await openWith(
    Array.from({ length: 52 }, (_, index) => ({ type: 'water', entity: `p${index}` }) as const),
  );
  await expect.element(sheet().getByText('and 2 more, waiting behind them')).toBeInTheDocument();
  expect(sheet().getByRole('listitem').elements()).toHaveLength(50);
});

test('a rejected change shows the server’s message, and Retry queues it again', async () => {
  await openWith([rejected]);
  await expect.element(sheet().getByText('location: Too dark')).toBeVisible();
  await button('Retry: Edit Fern: location').click();
  await expect.poll(async () => (await db.outbox.toArray())[0]?.state).toBe('queued');
  await expect.poll(liveRegion).toBe('Edit Fern: location: sent once more');
});

test.each([
  ['All saved at', { connectivity: 'online', pulledAt: Date.now() }],
  ['Server not reachable', { connectivity: 'unreachable', pullFailedAt: Date.now() }],
] as const)(
  'Sync now shows that it runs, and announces the state of sync at the end: %s',
  async (text, after) => {
    await openWith([]);
    await button('Sync now').click();
    await expect.element(button('Syncing...')).toHaveAttribute('aria-busy', 'true');
    await expect.poll(() => db.syncState.get('request')).toBeDefined();
    await db.syncState.put({ ...initialStatus, ...after });
    await expect.poll(liveRegion).toContain(text);
    await expect.element(button('Sync now')).toHaveFocus();
  },
);

test('Edit opens the form of the plant', async () => {
  const app = await openWith([rejected]);
  await button('Edit: Edit Fern: location').click();
  await expect.poll(app.url).toBe('/dashboard/analytics?form=p1');
});

test('discarding asks first: the Keep it button changes nothing, the Discard button removes the change and announces that', async () => {
  await openWith([rejected]);
  await button('Discard: Edit Fern: location').click();
  const question = page.getByRole('dialog', { name: 'Discard this change?' });
  await expect
    .element(question)
    .toHaveAccessibleDescription(
      '“Edit Fern: location” has not reached the server and will be lost.',
    );
  await button('Keep it').click();
  expect(await db.outbox.count()).toBe(1);
  await button('Discard: Edit Fern: location').click();
  await button('Discard').click();
  await expect
    .element(sheet().getByText('The server has everything that you did here.'))
    .toBeVisible();
  expect(await db.outbox.count()).toBe(0);
  await expect.poll(liveRegion).toBe('Edit Fern: location: discarded');
});

test('if another tab has decided about the change meanwhile, Discard closes the question and does not announce that it was discarded', async () => {
  await openWith([rejected]);
  await button('Discard: Edit Fern: location').click();
  const question = page.getByRole('dialog', { name: 'Discard this change?' });
  await expect.element(question).toBeVisible();
  await db.outbox.update(1, { state: 'queued' });
  await button('Discard').click();
  await expect.element(question).not.toBeInTheDocument();
  await untilWritesAreDone();
  expect(liveRegion()).not.toMatch(/discarded/);
  expect(await db.outbox.count()).toBe(1);
});

test.each(['Retry', 'Restore as new', 'Add again'])(
  'if another tab has decided about the change meanwhile, %s is not announced',
  async (name) => {
    const lastError = { message: 'Not found', status: 404 };
    await openWith([
      name === 'Add again'
        ? { ...rejected, type: 'edit_entry', entry, lastError }
        : { ...rejected, ...(name === 'Retry' ? {} : { lastError }) },
    ]);
    const action = sheet().getByRole('button', { name: new RegExp(`^${name}: `) });
    await expect.element(action).toBeVisible();
    // The tap comes before the list is rendered again.
    const decided = db.outbox.update(1, { state: 'queued' });
    press(action);
    await decided;
    await expect.element(action).not.toBeInTheDocument();
    await untilWritesAreDone();
    expect(liveRegion()).not.toMatch(/sent once more|added again/);
  },
);

test('a conflict that another tab has dismissed is not announced as brought back', async () => {
  await db.conflicts.add(conflict);
  await openWith([]);
  const undo = button('Undo: Fern: location changed elsewhere too');
  await expect.element(undo).toBeVisible();
  const dismissed = db.conflicts.delete('c1');
  press(undo);
  await dismissed;
  await expect.element(undo).not.toBeInTheDocument();
  await untilWritesAreDone();
  expect(liveRegion()).not.toBe('Brought back');
});

test('a watering of a plant that was deleted elsewhere offers to restore the plant', async () => {
  await openWith([
    {
      ...sentOnce,
      type: 'water',
      state: 'rejected',
      lastError: { message: 'Plant not found', status: 404 },
    },
  ]);
  const reason = sheet().getByText(/could not be saved: the plant was deleted elsewhere$/);
  await expect.element(reason).toBeVisible();
  await expect.element(button('Restore as new: Water Fern')).toBeVisible();
  await expect.element(button('Retry: Water Fern')).not.toBeInTheDocument();
});

test('changes to history entries and photos are described in words', async () => {
  const photo = { id: 'f1', entryId: null, takenAt: 1, width: 4, height: 3 };
  await openWith([
    { type: 'add_entry', entry },
    { type: 'edit_entry', entry: { ...entry, type: 'watered', days: null, amount_ml: 200 } },
    { type: 'remove_entry', entry: { ...entry, type: 'note', days: null } },
    { type: 'add_photo', photo },
    { type: 'remove_photo', photo },
  ]);
  for (const words of [
    'Add to history of Fern: Snoozed for 3 days',
    'Edit in history of Fern: Watered · 200 ml',
    'Delete from history of Fern: Note',
    'Add photo of Fern',
    'Delete photo of Fern',
  ]) {
    await expect.element(sheet().getByText(words, { exact: true })).toBeVisible();
  }
});

test('a rejected entry can be retried or discarded', async () => {
  await openWith([{ ...rejected, type: 'add_entry', entry }]);
  const title = 'Add to history of Fern: Snoozed for 3 days';
  await expect.element(button(`Discard: ${title}`)).toBeVisible();
  await button(`Retry: ${title}`).click();
  await expect.poll(async () => (await db.outbox.toArray())[0]?.state).toBe('queued');
});

test('an edit of an entry that was deleted elsewhere offers to add the entry again', async () => {
  const lastError = { message: 'Not found', status: 404 };
  await openWith([
    { ...rejected, type: 'edit_entry', entry: { ...entry, note: 'Wet' }, lastError },
  ]);
  await expect.element(sheet().getByText(/the entry was deleted elsewhere/)).toBeVisible();
  await button('Add again: Edit in history of Fern: Snoozed for 3 days').click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'add_entry', state: 'queued', entry: { note: 'Wet', days: 3 } }]);
});

test('the item of an overwritten field shows both values and can be dismissed', async () => {
  await db.conflicts.add(conflict);
  await openWith([]);
  await expect.element(sheet().getByText('Fern: location changed elsewhere too')).toBeVisible();
  await expect.element(sheet().getByText('Yours, Attic, replaced Cellar.')).toBeVisible();
  await button('Dismiss: Fern: location changed elsewhere too').click();
  await expect.poll(() => db.conflicts.count()).toBe(0);
  await expect.poll(liveRegion).toBe('Kept as it is');
});

test.each([
  [
    'choice',
    { sunlight_requirements: 'High' },
    { sunlight_requirements: 'Low' },
    'Fern: sunlight changed elsewhere too',
    'Yours, Bright Light, replaced Low Light.',
  ],
  [
    'picture',
    { photo_id: '0b3c6a52-1f0e-4c39-8d5e-6f1a2b3c4d5e' },
    { photo_id: '77e1d2aa-1f0e-4c39-8d5e-6f1a2b3c4d5e' },
    'Fern: picture changed elsewhere too',
    'Yours replaced the other one.',
  ],
])(
  'the item of an overwritten %s uses the words of the screens and shows no id',
  async (_, mine, theirs, title, text) => {
    await db.conflicts.add({ id: 'c1', entity: 'p1', mine, theirs, at: 1 });
    await openWith([]);
    await expect.element(sheet().getByText(title)).toBeVisible();
    await expect.element(sheet().getByText(text)).toBeVisible();
  },
);

test('the button in the header opens the sheet, and Escape closes it and returns the focus to the button', async () => {
  const app = await openWith([rejected], '/dashboard/analytics');
  const name = '1 change could not be saved, 1 not saved. Sync details';
  const indicator = page.getByRole('button', { name });
  await indicator.click();
  await expect.element(sheet()).toBeVisible();
  expect(app.url()).toBe('/dashboard/analytics?changes=1');
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet()).not.toBeInTheDocument();
  await expect.element(indicator).toHaveFocus();
});

test('a rejected change shows a notice on every screen until it is dismissed', async () => {
  const app = await openWith([rejected], '/dashboard/analytics');
  const notice = page.getByRole('region', { name: 'Notice' });
  await expect.element(notice).toHaveTextContent('Edit of Fern could not be saved');
  await expect.poll(liveRegion).toBe('Edit of Fern could not be saved: location: Too dark');
  await app.navigate('/dashboard/notifications');
  await expect.element(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(notice).not.toBeInTheDocument();
  expect(await db.outbox.count()).toBe(1);
});

test('the notice of a rejected change does not appear at once, but after a pause', async () => {
  await openWith([rejected], '/dashboard/analytics');
  const notice = page.getByRole('region', { name: 'Notice' });
  // Tested with the second notice, because the first one also waits for its code to load.
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(notice).not.toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const countAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await new Promise(requestAnimationFrame);
    return notice.elements().length;
  };
  await db.outbox.add(opRow({ seq: 2, opId: 'second', ...rejected }));
  const header = page.getByText('2 changes could not be saved', { exact: true });
  await expect.poll(() => countAfter(1).then(() => header.elements().length)).toBeGreaterThan(0);
  for (let frame = 0; frame < 30; frame += 1) expect(await countAfter(1)).toBe(0);
  await expect.poll(() => countAfter(500)).toBe(1);
});

test('the notice of a rejected change is announced once, and not again after a look at the changes', async () => {
  const app = await openWith([rejected], '/dashboard/analytics');
  const sentence = 'Edit of Fern could not be saved: location: Too dark';
  await expect.poll(liveRegion).toBe(sentence);
  await app.navigate('/dashboard/analytics?changes=1');
  await expect.element(sheet()).toBeVisible();
  const notice = page.getByRole('region', { name: 'Notice' });
  await expect.element(notice).not.toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await app.navigate('/dashboard/analytics');
  await expect
    .poll(() => {
      vi.advanceTimersByTime(500);
      return notice.elements().length;
    })
    .toBe(1);
  await new Promise(requestAnimationFrame);
  vi.advanceTimersByTime(5_000);
  await new Promise(requestAnimationFrame);
  expect(liveRegion()).toBe(sentence);
});

test('the Show all button contains the number of notices, opens the sheet and hides the notices', async () => {
  const app = await openWith(
    [rejected, { ...rejected, edits: { nickname: 'Fernando' }, base: { nickname: 'Fern' } }],
    '/dashboard/analytics',
  );
  await button('Show all 2').click();
  await expect.element(sheet()).toBeVisible();
  expect(app.url()).toBe('/dashboard/analytics?changes=1');
  await expect.element(page.getByRole('region', { name: 'Notice' })).not.toBeInTheDocument();
});

test('a notice over a dialog is accessible and can be dismissed without closing the dialog', async () => {
  await openWith([rejected], '/dashboard/analytics?plant=p1');
  const dialog = page.getByRole('dialog', { name: 'Fern' });
  await expect.element(dialog).toBeVisible();
  const notice = page.getByRole('region', { name: 'Notice' });
  await expect.element(notice).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
});

test('the list of changes is accessible', async () => {
  await openWith([
    { type: 'water', occurredAt: Date.now() },
    { ...rejected, entity: 'p2' },
  ]);
  await expect.element(sheet().getByRole('listitem').nth(1)).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
});
