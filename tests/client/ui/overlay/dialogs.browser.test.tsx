import { useRef, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { NoticeStack } from '#client/ui/feedback/notice.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { ConfirmDiscard, Dialog } from '#client/ui/overlay/dialog.tsx';
import { Menu } from '#client/ui/overlay/menu.tsx';
import { closePopover, Popover } from '#client/ui/overlay/popover.tsx';
import { Sheet, SheetBody } from '#client/ui/overlay/sheet.tsx';
import { emulateMedia } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { render } from '../../../support/component/render.tsx';

beforeEach(() => emulateMedia({ 'prefers-reduced-motion': 'no-preference' }));

/** A screen whose button opens a sheet. The button may disappear while the sheet is open. */
function ScreenWithSheet({ losesOpener = false, isOpenAtFirst = false }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const body = useRef<HTMLDivElement>(null);
  return (
    <>
      <main tabIndex={-1}>
        {!(isOpen && losesOpener) && (
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
        )}
      </main>
      <NoticeStack>
        <button type="button">Dismiss</button>
      </NoticeStack>
      {isOpen && (
        <Sheet title="Fern" subtitle="Boston Fern" onClose={() => setOpen(false)}>
          <SheetBody ref={body}>Text</SheetBody>
        </Sheet>
      )}
    </>
  );
}

test('a sheet is a dialog with a name and takes the focus', async () => {
  await render(<ScreenWithSheet />);
  await button('Open').click();
  const dialog = page.getByRole('dialog', { name: 'Fern' });
  await expect.element(dialog).toHaveFocus();
  await expect.element(dialog).toHaveAccessibleDescription('Boston Fern');
});

test.each(['Escape', 'the close button'])(
  '%s closes a sheet, and the opener has the focus',
  async (how) => {
    await render(<ScreenWithSheet />);
    await button('Open').click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    if (how === 'Escape') await userEvent.keyboard('{Escape}');
    else await button('Close dialog').click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(button('Open')).toHaveFocus();
  },
);

test('the screen gets the focus when a sheet closes and the element that opened it was removed', async () => {
  await render(<ScreenWithSheet losesOpener />);
  await button('Open').click();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the screen gets the focus when a sheet closes and no element had the focus before', async () => {
  await render(<ScreenWithSheet isOpenAtFirst />);
  await expect.element(page.getByRole('dialog')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('a tap on a notice above a sheet does not close the sheet', async () => {
  await render(<ScreenWithSheet />);
  await button('Open').click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  const dismiss = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Dismiss',
  );
  dismiss?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  dismiss?.click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
});

const menu = (
  <Menu label="More" icon="⋮" items={[{ label: 'Edit', icon: null, onSelect: () => undefined }]} />
);

test.each(['sheet', 'dialog'])(
  'Escape in a menu of a %s closes only the menu, and a second Escape calls onClose',
  async (kind) => {
    const onClose = vi.fn();
    await render(
      kind === 'sheet' ? (
        <Sheet title="Fern" subtitle="Boston Fern" onClose={onClose}>
          {menu}
        </Sheet>
      ) : (
        <Dialog title="Fern" description="Boston Fern" onClose={onClose}>
          {menu}
        </Dialog>
      ),
    );
    await button('More').click();
    await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('More')).toHaveFocus();
    await expect.element(page.getByRole('menuitem')).not.toBeInTheDocument();
    expect(onClose).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  },
);

test('Escape and the keep button call keep, and only the discard button calls discard', async () => {
  const keep = vi.fn();
  const discard = vi.fn();
  await render(
    <ConfirmDiscard
      title="Discard this?"
      description="It will be lost."
      keep={['Keep it', keep]}
      discard={['Discard', discard]}
    />,
  );
  const dialog = page.getByRole('dialog', { name: 'Discard this?' });
  await expect.element(dialog).toHaveAccessibleDescription('It will be lost.');
  await userEvent.keyboard('{Escape}');
  expect(keep).toHaveBeenCalledOnce();
  await button('Keep it').click();
  expect(keep).toHaveBeenCalledTimes(2);
  expect(discard).not.toHaveBeenCalled();
  await button('Discard').click();
  expect(discard).toHaveBeenCalledOnce();
});

test('a popover opens on a tap, and Escape returns the focus to its button', async () => {
  await render(
    <Popover label="Notifications" icon="🔔">
      <p>Nothing new</p>
    </Popover>,
  );
  const text = page.getByText('Nothing new');
  await expect.element(text).not.toBeVisible();
  await button('Notifications').click();
  await expect.element(text).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(text).not.toBeVisible();
  await expect.element(button('Notifications')).toHaveFocus();
  await button('Notifications').click();
  await expect.element(text).toBeVisible();
  closePopover();
  await expect.element(text).not.toBeVisible();
});

/** A dialog with a button that is busy until `finish` resolves. */
function DialogWithWork({ finish, onClose }: { finish: Promise<void>; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const work = async () => {
    setBusy(true);
    await finish;
    setBusy(false);
  };
  return (
    <Dialog title="Water all" description="Text" onClose={onClose}>
      <Button busyText={isBusy ? 'Watering...' : null} onClick={() => void work()}>
        Water
      </Button>
    </Dialog>
  );
}

test('a button in a dialog gets its focus back after its work, also if the dialog had the focus meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await render(<DialogWithWork finish={promise} onClose={vi.fn()} />);
  const dialog = page.getByRole('dialog');
  const text = dialog.element().appendChild(document.createElement('p'));
  button('Water').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement).toBe(document.body);
  // Radix moves the focus when an element of the dialog is removed.
  text.remove();
  await expect.element(dialog).toHaveFocus();
  resolve();
  await expect.element(button('Water')).toHaveFocus();
});
