import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { Dialog } from '#client/ui/overlay/dialog.tsx';
import { Menu } from '#client/ui/overlay/menu.tsx';
import { Sheet } from '#client/ui/overlay/sheet.tsx';
import { emulateMedia } from '../../../support/component/browser.ts';
import { doubleTap, tap } from '../../../support/component/double-tap.ts';
import { button } from '../../../support/component/form.ts';
import { render } from '../../../support/component/render.tsx';

const pressed: string[] = [];
beforeEach(async () => {
  pressed.length = 0;
  await emulateMedia({ 'prefers-reduced-motion': 'no-preference' });
});

/** Keeps the page busy, as work on a slow phone does. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** A button as large as the screen. */
function Below() {
  return (
    <button
      type="button"
      style={{ position: 'fixed', inset: 0 }}
      onClick={() => pressed.push('Below')}
    >
      Below
    </button>
  );
}

/**
 * A button as large as the screen, and above it a dialog or a sheet. A press on the button Answer blocks the page for
 * `blockedMs`, then closes the dialog or sheet.
 */
function Screen({ over, blockedMs = 0 }: { over: 'dialog' | 'sheet'; blockedMs?: number }) {
  const [isOpen, setOpen] = useState(true);
  const close = () => setOpen(false);
  const answer = (
    <button
      type="button"
      onClick={() => {
        pressed.push('Answer');
        block(blockedMs);
        close();
      }}
    >
      Answer
    </button>
  );
  return (
    <>
      <Below />
      {isOpen && over === 'dialog' && (
        <Dialog title="Question" description="Close it?" onClose={close}>
          {answer}
        </Dialog>
      )}
      {isOpen && over === 'sheet' && (
        <Sheet title="Question" subtitle="Close it?" onClose={close}>
          {answer}
        </Sheet>
      )}
    </>
  );
}

test.each(['dialog', 'sheet'] as const)(
  'a double tap on a button that closes a %s presses nothing below it, but a later tap presses what is there',
  async (over) => {
    await render(<Screen over={over} />);
    const box = button('Answer').element().getBoundingClientRect();
    const position = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await doubleTap(button('Answer'));
    await expect.element(button('Answer')).not.toBeInTheDocument();
    expect(pressed).toEqual(['Answer']);
    // Waits until nothing covers that place.
    await button('Below').click({ position });
    expect(pressed).toEqual(['Answer', 'Below']);
  },
);

test('a second tap that a slow phone handles half a second late, after the first one has closed a dialog, presses nothing below it', async () => {
  await render(<Screen over="dialog" blockedMs={500} />);
  await doubleTap(button('Answer'));
  await expect.element(button('Answer')).not.toBeInTheDocument();
  expect(pressed).toEqual(['Answer']);
});

test('the second tap of a double tap that closes a dialog does not move the focus', async () => {
  await render(<Screen over="dialog" />);
  const at = await tap(button('Answer'));
  await new Promise((resolve) => setTimeout(resolve));
  const press = new MouseEvent('mousedown', { ...at, bubbles: true, cancelable: true });
  document.elementFromPoint(at.clientX, at.clientY)?.dispatchEvent(press);
  expect(press.defaultPrevented).toBe(true);
});

test('after a dialog is closed with the keyboard, nothing covers the screen below it', async () => {
  await render(<Screen over="dialog" />);
  const answer = button('Answer').element();
  const box = answer.getBoundingClientRect();
  // Like a click by Enter, which has no click count.
  answer.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await expect.element(button('Answer')).not.toBeInTheDocument();
  expect(document.elementFromPoint(box.x + 2, box.y + 2)?.textContent).toBe('Below');
});

/** A button as large as the screen, and above it a notice with an action that removes it. */
function ScreenWithNotice() {
  const [isShown, setShown] = useState(true);
  const undo = () => {
    pressed.push('Undo');
    setShown(false);
  };
  const action = (
    <button type="button" onClick={undo}>
      Undo
    </button>
  );
  return (
    <>
      <Below />
      <div style={{ position: 'relative' }}>
        {isShown && <Notice look="info" title="Done" actions={action} />}
      </div>
    </>
  );
}

test('a double tap on an action of a notice presses nothing below it', async () => {
  await render(<ScreenWithNotice />);
  await doubleTap(button('Undo'));
  await expect.element(button('Undo')).not.toBeInTheDocument();
  expect(pressed).toEqual(['Undo']);
});

test('a double tap on an item of a menu presses nothing below it', async () => {
  const items = [{ label: 'Repotted', icon: null, onSelect: () => pressed.push('Repotted') }];
  await render(
    <>
      <Below />
      <div style={{ position: 'relative', textAlign: 'right' }}>
        <Menu label="Add" icon="+" items={items} />
      </div>
    </>,
  );
  await button('Add').click();
  await doubleTap(page.getByRole('menuitem', { name: 'Repotted' }));
  await expect.element(page.getByRole('menuitem')).not.toBeInTheDocument();
  expect(pressed).toEqual(['Repotted']);
});
