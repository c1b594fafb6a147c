import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { opRow, plantRow, sentOnce } from '../../../../support/device/device-rows.ts';
import { storePhoto } from '../../../../support/photos/stored-photo.ts';

test('each rejected photo shows its picture and when it was taken', async () => {
  fakeApi();
  const db = await signInAs();
  await db.plants.add(plantRow());
  for (const [seq, id] of ['leaf', 'stem'].entries()) {
    await storePhoto(db, 'p1', { id });
    const takenAt = Date.UTC(2026, 10, 20, 8 + seq);
    const photo = { id, entryId: null, takenAt, width: 800, height: 600 };
    const rejected = { ...sentOnce, state: 'rejected', type: 'add_photo', photo } as const;
    await db.outbox.add(opRow({ seq: seq + 1, opId: id, ...rejected }));
  }
  await openApp('/dashboard/analytics?changes=1');
  const pictures = page.getByRole('dialog').getByRole('img');
  await expect
    .poll(() => pictures.elements().map(({ tagName }) => tagName))
    .toEqual(['IMG', 'IMG']);
  await expect
    .element(pictures.first())
    .toHaveAccessibleName('Photo of Fern, Nov 20, 2026, 3:00 PM');
  await expect
    .element(pictures.last())
    .toHaveAccessibleName('Photo of Fern, Nov 20, 2026, 4:00 PM');
  // Each photo of `storePhoto` has a colour of its own.
  const [leaf, stem] = await Promise.all(pictures.elements().map(bytesOf));
  expect(leaf).not.toEqual(stem);
});

async function bytesOf(picture: Element): Promise<Uint8Array> {
  const response = await fetch(picture.getAttribute('src') ?? '');
  return new Uint8Array(await response.arrayBuffer());
}

test('discarding a rejected new plant says how many changes are lost with it', async () => {
  fakeApi();
  const db = await signInAs();
  const rejected = { ...sentOnce, state: 'rejected', type: 'create' } as const;
  await db.outbox.bulkAdd([
    opRow({ seq: 1, opId: 'first', ...rejected, edits: { nickname: 'Fern' } }),
    opRow({ seq: 2, opId: 'second', type: 'water' }),
  ]);
  await openApp('/dashboard/analytics?changes=1');
  await button('Discard: Add Fern').click();
  await expect
    .element(page.getByRole('dialog', { name: 'Discard this change?' }))
    .toHaveAccessibleDescription(
      'Fern has not reached the server. It will be lost, with 1 change that came after.',
    );
  await button('Discard').click();
  await expect.poll(() => db.outbox.count()).toBe(0);
});
