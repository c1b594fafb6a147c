import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { render } from '../../support/component/render.tsx';

function Flag({ name }: { name: string }) {
  const [isOn, setOn] = useRememberedFlag(name, false);
  return <input type="checkbox" aria-label="Flag" checked={isOn} onChange={() => setOn(!isOn)} />;
}

/** Shows the flag as a new screen does. */
const open = (name: string) => render(<Flag name={name} />);

const flag = page.getByRole('checkbox', { name: 'Flag' });
const isSet = () => (flag.element() as HTMLInputElement).checked;

test('a flag is remembered', async () => {
  const first = await open('test.stored');
  expect(isSet()).toBe(false);
  await flag.click();
  await expect.poll(isSet).toBe(true);
  await first.unmount();
  await open('test.stored');
  expect(isSet()).toBe(true);
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
  expect(isSet()).toBe(true);
  await flag.click();
  await second.unmount();
  await open('test.unstored');
  expect(isSet()).toBe(false);
});
