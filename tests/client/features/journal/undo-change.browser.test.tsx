import { flushSync } from 'react-dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clearLastChange, offerUndo } from '#client/features/journal/change-entries.ts';
import { UndoChange } from '#client/features/journal/undo-change.tsx';
import { deletePlant } from '#client/store/outbox/plant-changes.ts';
import { button } from '../../../support/component/form.ts';
import { dayMs, monty, pullPlants } from '../../../support/component/garden.ts';
import { signInAs } from '../../../support/component/open-app.tsx';
import { render } from '../../../support/component/render.tsx';

const change = { plantKey: 'monty', text: 'Monty fertilized', undo: async () => undefined };

/** Shows the notice of a change. The clock, and timers if they are in `toFake`, advance only by `vi` and `expect`. */
async function showNotice(
  toFake: ('Date' | 'setTimeout' | 'clearTimeout')[] = ['Date', 'setTimeout', 'clearTimeout'],
) {
  const db = await signInAs();
  await pullPlants(db, [monty()]);
  vi.useFakeTimers({ toFake });
  const offeredAt = Date.now();
  offerUndo({ ...change, db });
  const screen = await render(<UndoChange />);
  onTestFinished(() => {
    vi.useRealTimers();
    clearLastChange();
    screen.unmount();
  });
  await expect.element(button('Undo')).toBeVisible();
  // The timer that ends the offer is started after the paint.
  if (toFake.includes('setTimeout')) await expect.poll(vi.getTimerCount).toBeGreaterThan(0);
  return { db, screen, offeredAt };
}

test.each([
  ['stays as it is', 0],
  ['is set back by five seconds', -5_000],
  ['is set back by a day', -dayMs],
])('Undo is offered for ten seconds if the clock %s', async (_, clockChange) => {
  const { offeredAt } = await showNotice();
  const left = offeredAt + 10_000 - Date.now();
  vi.setSystemTime(Date.now() + clockChange);
  // An update in flushSync is rendered before it returns.
  flushSync(() => vi.advanceTimersByTime(left - 1));
  expect(button('Undo').elements()).toHaveLength(1);
  flushSync(() => vi.advanceTimersByTime(1));
  expect(button('Undo').elements()).toHaveLength(0);
});

test('Undo is not offered on a screen that is opened after the clock was set back by a day', async () => {
  const { screen } = await showNotice();
  screen.unmount();
  vi.setSystemTime(Date.now() - dayMs);
  await render(<UndoChange />);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

test('Undo is no longer offered once the plant is deleted', async () => {
  // The clock stands still, so that the ten seconds never end.
  const { db } = await showNotice(['Date']);
  await deletePlant(db, 'monty', Date.now());
  await expect.element(button('Undo')).not.toBeInTheDocument();
});
