import { expect, onTestFinished, test, vi } from 'vitest';
import { LiveRegion } from '#client/ui/feedback/screen-reader.tsx';
import { CopyText } from '#client/ui/form/copy-text.tsx';
import { button } from '../../../support/component/form.ts';
import { announced } from '../../../support/component/garden.ts';
import { render } from '../../../support/component/render.tsx';

test.each([
  ['copies the selected text', true, 'Copied secret', 'Secret copied'],
  ['does not copy either', false, 'Selected secret', 'Secret selected, not copied'],
] as const)(
  'where the browser has no clipboard and execCommand %s, the button says so',
  async (_, isCopied, name, sentence) => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('Denied'));
    const selected: string[] = [];
    const copy = vi.spyOn(document, 'execCommand').mockImplementation(() => {
      selected.push(String(getSelection()));
      return isCopied;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const onCopied = vi.fn();
    await render(
      <>
        <CopyText name="Secret" text="sprig_0123" onCopied={onCopied} />
        <LiveRegion />
      </>,
    );
    await button('Copy secret').click();
    await expect.element(button(name)).toBeVisible();
    await expect.poll(announced).toBe(sentence);
    expect(selected).toEqual(['sprig_0123']);
    expect(copy).toHaveBeenCalledWith('copy');
    expect(onCopied).toHaveBeenCalledTimes(isCopied ? 1 : 0);
  },
);
