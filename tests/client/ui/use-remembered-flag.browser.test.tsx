import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { render } from '../../support/component/render.tsx';

function Flag({ name }: { name: string }) {
  const [isSet, set] = useRememberedFlag(name, false);
  return <input type="checkbox" aria-label="Flag" checked={isSet} onChange={() => set(!isSet)} />;
}

/** Shows the flag as a new screen does. */
const open = (name: string) => render(<Flag name={name} />);

const flag = page.getByRole('checkbox', { name: 'Flag' });

test('a flag is remembered', async () => {
  const first = await open('test.stored');
  await expect.element(flag).not.toBeChecked();
  await flag.click();
  await expect.element(flag).toBeChecked();
  await first.unmount();
  await open('test.stored');
  await expect.element(flag).toBeChecked();
  expect(window.localStorage.getItem('test.stored')).toBe('1');
});

test('if the browser cannot store a flag, it is remembered as long as the page is open', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const first = await open('test.unstored');
  await flag.click();
  await first.unmount();
  const second = await open('test.unstored');
  await expect.element(flag).toBeChecked();
  await flag.click();
  await second.unmount();
  await open('test.unstored');
  await expect.element(flag).not.toBeChecked();
});
