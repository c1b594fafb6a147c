import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Notice, NoticeStack } from '#client/ui/feedback/notice.tsx';
import { Dialog } from '#client/ui/overlay/dialog.tsx';
import { Sheet } from '#client/ui/overlay/sheet.tsx';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { render } from '../../../support/component/render.tsx';

test.each([
  [
    'sheet',
    <Sheet key="sheet" title="Monty" subtitle="Fern" onClose={() => undefined}>
      <p>Overview</p>
    </Sheet>,
  ],
  [
    'dialog that fills the screen',
    <Dialog key="dialog" title="Monty" description="" onClose={() => undefined}>
      <div style={{ height: 3_000 }} />
    </Dialog>,
  ],
])('a notice does not cover an open %s', async (_, dialog) => {
  await render(
    <>
      <NoticeStack>
        <Notice look="bad" title="Edit of Monty could not be saved">
          <p>A reason that needs so many words that it takes two lines on a phone.</p>
        </Notice>
      </NoticeStack>
      {dialog}
    </>,
  );
  const top = (role: 'region' | 'dialog') => page.getByRole(role).element().getBoundingClientRect();
  await expect.poll(() => top('dialog').top).toBeGreaterThan(top('region').bottom);
});

test('on a low screen notices leave room for a dialog, and all of them can be scrolled to', async () => {
  await resizeScreen(852, 393);
  await render(
    <>
      <NoticeStack>
        {['First', 'Second', 'Third'].map((name) => (
          <Notice key={name} look="info" title={name} actions={<button type="button">Undo</button>}>
            <p>{'A reason that needs many words. '.repeat(6)}</p>
          </Notice>
        ))}
      </NoticeStack>
      <Sheet title="Monty" subtitle="Fern" onClose={() => undefined}>
        <p>Overview</p>
      </Sheet>
    </>,
  );
  const box = () => page.getByRole('dialog').element().getBoundingClientRect();
  const third = page.getByText('Third', { exact: true }).element();
  third.scrollIntoView();
  // The dialog moves down once the height of the notices is known.
  await expect.poll(() => box().top - third.getBoundingClientRect().bottom).toBeGreaterThan(0);
  expect(third.getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
  expect(box().height).toBeGreaterThan(window.innerHeight / 2);
});

test('the page scrolls when a button behind a notice gets the focus, and does not scroll when a button of the notice gets it', async () => {
  const undo = <button type="button">Undo</button>;
  await render(
    <main>
      <button type="button">First</button>
      <div style={{ height: window.innerHeight - 80 }} />
      <button type="button">Behind</button>
      <div style={{ height: 3_000 }} />
      <NoticeStack>
        <Notice look="info" title="Done" actions={undo} />
      </NoticeStack>
    </main>,
  );
  button('First').element().focus();
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Behind')).toHaveFocus();
  const { x, y } = button('Behind').element().getBoundingClientRect();
  expect(document.elementFromPoint(x + 2, y + 2)?.textContent).toBe('Behind');
  const scrolled = window.scrollY;
  expect(scrolled).toBeGreaterThan(0);
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Undo')).toHaveFocus();
  expect(window.scrollY).toBe(scrolled);
});
