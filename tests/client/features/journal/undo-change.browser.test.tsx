import { expect, onTestFinished, test, vi } from 'vitest';
import { clearLastChange, offerUndo } from '#client/features/journal/change-entries.ts';
import { UndoChange } from '#client/features/journal/undo-change.tsx';
import { deletePlant } from '#client/store/outbox/plant-changes.ts';
import { button } from '../../../support/component/form.ts';
import { dayMs, monty, pullPlants } from '../../../support/component/garden.ts';
import { signInAs } from '../../../support/component/open-app.tsx';
import { render } from '../../../support/component/render.tsx';

const change = { plantKey: 'monty', text: 'Monty fertilized', undo: async () => undefined };

/** Shows the notice of a change. Timers and the clock advance only by `vi`. */
async function showNotice() {
  const db = await signInAs();
  await pullPlants(db, [monty()]);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  offerUndo({ ...change, db });
  const screen = await render(<UndoChange />);
  onTestFinished(() => {
    vi.useRealTimers();
    clearLastChange();
    screen.unmount();
  });
  await expect.element(button('Undo')).toBeVisible();
  return { db, screen };
}

test.each([
  ['stays as it is', 0],
  ['is set back by five seconds', -5_000],
  ['is set back by a day', -dayMs],
])('Undo is offered for ten seconds if the clock %s', async (_, clockChange) => {
  await showNotice();
  vi.setSystemTime(Date.now() + clockChange);
  vi.advanceTimersByTime(9_999);
  await expect.element(button('Undo')).toBeVisible();
  vi.advanceTimersByTime(1);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

test('Undo is not offered on a screen that is opened after the clock was set back by a day', async () => {
  const { screen } = await showNotice();
  screen.unmount();
  vi.setSystemTime(Date.now() - dayMs);
  await render(<UndoChange />);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

test('Undo is no longer offered once the plant is deleted', async () => {
  const { db } = await showNotice();
  const offeredAt = Date.now();
  await deletePlant(db, 'monty', Date.now());
  // While it waits, Vitest advances the timers and the clock.
  await expect.element(button('Undo')).not.toBeInTheDocument();
  expect(Date.now()).toBeLessThan(offeredAt + 9_000);
});
