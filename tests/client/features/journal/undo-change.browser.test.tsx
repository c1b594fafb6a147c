import { expect, onTestFinished, test, vi } from 'vitest';
import { clearLastChange, offerUndo } from '#client/features/journal/change-entries.ts';
import { UndoChange } from '#client/features/journal/undo-change.tsx';
import { button } from '../../../support/component/form.ts';
import { dayMs } from '../../../support/component/garden.ts';
import { signInAs } from '../../../support/component/open-app.tsx';
import { render } from '../../../support/component/render.tsx';

/** Shows the notice of a change. Timers and the clock advance only by `vi`. */
async function showNotice() {
  const db = await signInAs();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  offerUndo({ db, text: 'Monty fertilized', undo: async () => undefined });
  const screen = await render(<UndoChange />);
  onTestFinished(() => {
    vi.useRealTimers();
    clearLastChange();
    screen.unmount();
  });
  await expect.element(button('Undo')).toBeVisible();
  return screen;
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
  const screen = await showNotice();
  screen.unmount();
  vi.setSystemTime(Date.now() - dayMs);
  await render(<UndoChange />);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});
