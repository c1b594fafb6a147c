import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { reportStorageProblem } from '#client/store/storage-problem.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import { announced, setSync } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { opRow, plantRow, sentOnce } from '../../../../support/device/device-rows.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await db.plants.add(plantRow());
});

const notice = () => page.getByRole('region', { name: 'Notice' });
const rejected = { ...sentOnce, type: 'water', state: 'rejected' } as const;
const rejectedText = 'Watering of Fern could not be saved';

test('if one of the changes that waited for the network is rejected, it is not announced that all are saved', async () => {
  await setSync(db, { connectivity: 'offline' });
  await db.outbox.add(opRow({ seq: 1, type: 'water' }));
  await openApp('/dashboard/analytics');
  const waiting = page.getByText('1 change waiting', { exact: true }).first();
  await expect.element(waiting).toBeInTheDocument();
  const sentences: (string | null | undefined)[] = [];
  const observer = new MutationObserver(() => sentences.push(announced()));
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  await db.transaction('rw', db.tables, async () => {
    await setSync(db, { connectivity: 'online' });
    await db.outbox.update(1, rejected);
  });
  await expect.poll(announced).toBe(rejectedText);
  expect(sentences).not.toContain('All changes saved');
});

test('Undo in the notice about an overwritten field brings back the other value', async () => {
  const location = { mine: { location: 'Attic' }, theirs: { location: 'Cellar' } };
  await db.conflicts.add({ id: 'c1', entity: 'p1', ...location, at: 1 });
  await openApp('/dashboard/analytics');
  await notice().getByRole('button', { name: 'Undo' }).click();
  await expect.element(notice()).not.toBeInTheDocument();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'update', edits: { location: 'Cellar' } }]);
});

test('a notice that disappears at once is not announced', async () => {
  await db.outbox.add(opRow({ seq: 1, ...rejected }));
  const app = await openApp('/dashboard/analytics');
  await expect.poll(announced).toBe(rejectedText);
  await notice().getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(notice()).not.toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await db.outbox.add(opRow({ seq: 2, opId: 'second', ...rejected, type: 'delete' }));
  await expect
    .poll(() => {
      vi.advanceTimersByTime(100);
      return notice().elements().length;
    })
    .toBe(1);
  await app.navigate('/dashboard/analytics?changes=1');
  // Without `expect`, which advances the timers while it waits.
  while (notice().elements().length > 0) await new Promise(requestAnimationFrame);
  vi.advanceTimersByTime(5_000);
  await new Promise(requestAnimationFrame);
  expect(announced()).toBe(rejectedText);
});

test.each([
  ['full', 'This device is full: that was not saved'],
  ['unsaved', 'That was not saved'],
] as const)('the storage problem %s is shown until it is dismissed', async (problem, title) => {
  await openApp('/dashboard/analytics');
  reportStorageProblem(db.storageProblem, problem);
  const alert = page.getByRole('alert').filter({ hasText: title });
  await expect.element(alert).toBeVisible();
  await button('Dismiss').click();
  await expect.element(alert).not.toBeInTheDocument();
});
