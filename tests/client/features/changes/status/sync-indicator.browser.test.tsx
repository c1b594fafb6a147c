import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi } from '../../../../support/component/api.ts';
import { resizeScreen } from '../../../../support/component/browser.ts';
import { setSync } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { opRow, plantRow } from '../../../../support/device/device-rows.ts';

test.each([
  ['waiting', { state: 'queued' }, 0, '1 waiting'],
  ['rejected', { state: 'rejected' }, 0, '1 not saved'],
  ['being sent', { state: 'queued' }, 2, '2 of 3'],
] as const)(
  'on a phone the name of the sync status contains its visible text while a change is %s',
  async (_, op, sentCount, visible) => {
    fakeApi();
    const db = await signInAs();
    await resizeScreen(390);
    await db.plants.add(plantRow());
    await setSync(db, { connectivity: 'online', sentCount });
    await db.outbox.add(opRow(op));
    await openApp('/dashboard/analytics');
    const indicator = page.getByRole('button', { name: /Sync details$/ });
    await expect.element(indicator.getByText(visible, { exact: true })).toBeVisible();
    expect(indicator.element().getAttribute('aria-label')).toContain(visible);
  },
);
