import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { Dialog } from '#client/ui/overlay/dialog.tsx';
import { Sheet } from '#client/ui/overlay/sheet.tsx';
import { doubleTap } from '../../../support/component/double-tap.ts';
import { button } from '../../../support/component/form.ts';

const pressed: string[] = [];
beforeEach(() => {
  pressed.length = 0;
});

/** A button as large as the screen, and above it a dialog or a sheet with a button that closes it. */
function Screen({ over }: { over: 'dialog' | 'sheet' }) {
  const [isOpen, setOpen] = useState(true);
  const close = () => setOpen(false);
  const answer = (
    <button
      type="button"
      onClick={() => {
        pressed.push('Answer');
        close();
      }}
    >
      Answer
    </button>
  );
  return (
    <>
      <button
        type="button"
        style={{ position: 'fixed', inset: 0 }}
        onClick={() => pressed.push('Below')}
      >
        Below
      </button>
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
  'a double tap on a button that closes a %s presses nothing below it, and a later tap does',
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

test('a dialog that the keyboard closes covers nothing', async () => {
  await render(<Screen over="dialog" />);
  const answer = button('Answer').element();
  const box = answer.getBoundingClientRect();
  // As Enter does: without a count.
  answer.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await expect.element(button('Answer')).not.toBeInTheDocument();
  expect(document.elementFromPoint(box.x + 2, box.y + 2)?.textContent).toBe('Below');
});
