import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Menu } from '#client/ui/overlay/menu.tsx';
import { emulateMedia, resizeScreen } from '../../../support/component/browser.ts';
import { render } from '../../../support/component/render.tsx';

const onEdit = vi.fn();
const onDelete = vi.fn();
beforeEach(async () => {
  vi.clearAllMocks();
  await emulateMedia({ 'prefers-reduced-motion': 'no-preference' });
  await render(
    <Menu
      label="More for Fern"
      icon="⋮"
      items={[
        { label: 'Edit', icon: null, onSelect: onEdit },
        { label: 'Delete', icon: null, isDanger: true, onSelect: onDelete },
      ]}
    />,
  );
});

const menuButton = () => page.getByRole('button', { name: 'More for Fern' });
const item = (name: string) => page.getByRole('menuitem', { name });

test('opens on a tap and focuses its first item', async () => {
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false');
  await menuButton().click();
  await expect.element(item('Edit')).toHaveFocus();
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'true');
});

test.each([
  ['{ArrowDown}', 'Delete'],
  ['{ArrowDown}{ArrowDown}', 'Edit'],
  ['{ArrowUp}', 'Delete'],
  ['{End}', 'Delete'],
  ['{End}{Home}', 'Edit'],
])('%s moves the focus to %s', async (keys, name) => {
  await menuButton().click();
  await expect.element(item('Edit')).toHaveFocus();
  await userEvent.keyboard(keys);
  await expect.element(item(name)).toHaveFocus();
});

test('Enter selects the focused item and closes the menu', async () => {
  await menuButton().click();
  await expect.element(item('Edit')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onDelete).toHaveBeenCalledOnce();
  expect(onEdit).not.toHaveBeenCalled();
  await expect.element(item('Edit')).not.toBeInTheDocument();
});

test('Escape closes the menu and returns the focus to its button', async () => {
  await menuButton().click();
  await expect.element(item('Edit')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(menuButton()).toHaveFocus();
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false');
});

test('Tab closes the menu', async () => {
  await menuButton().click();
  await expect.element(item('Edit')).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(item('Edit')).not.toBeInTheDocument();
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false');
});

test('the menu closes when the part of the screen that contains its button is scrolled', async () => {
  await render(
    <div style={{ height: 300, overflowY: 'auto' }} data-testid="list">
      <Menu label="Entry" icon="⋮" items={[{ label: 'Share', icon: null, onSelect: onEdit }]} />
      <div style={{ height: 900 }} />
    </div>,
  );
  await page.getByRole('button', { name: 'Entry' }).click();
  await expect.element(item('Share')).toHaveFocus();
  const list = page.getByTestId('list').element();
  list.scrollTop = 100;
  await expect.element(item('Share')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Entry' })).toHaveFocus();
  expect(list.scrollTop).toBe(100);
});

test('every item of a menu that is higher than the screen can be scrolled to', async () => {
  await resizeScreen(800, 256);
  const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'];
  const items = names.map((label) => ({ label, icon: null, onSelect: onEdit }));
  await render(
    <div style={{ textAlign: 'right' }}>
      <Menu label="Many" icon="⋮" items={items} />
    </div>,
  );
  await page.getByRole('button', { name: 'Many' }).click();
  await expect.element(item('One')).toHaveFocus();
  for (const name of names) {
    item(name).element().scrollIntoView({ block: 'nearest' });
    await expect.element(item(name)).toBeInViewport({ ratio: 0.99 });
  }
  expect(page.getByRole('menu').element().scrollTop).toBeGreaterThan(0);
});

test('the page below does not scroll when an item gets the focus, and the menu does', async () => {
  await resizeScreen(800, 256);
  const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'];
  const items = names.map((label) => ({ label, icon: null, onSelect: onEdit }));
  await render(
    <div style={{ padding: '500px 0', textAlign: 'right' }}>
      <Menu label="Many" icon="⋮" items={items} />
    </div>,
  );
  window.scrollTo({ top: 450 });
  await page.getByRole('button', { name: 'Many' }).click();
  await expect.element(item('One')).toHaveFocus();
  await expect.element(item('One')).toBeInViewport({ ratio: 0.99 });
  for (const [key, name] of [
    ['{End}', 'Eight'],
    ['{Home}', 'One'],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.element(item(name)).toHaveFocus();
    await expect.element(item(name)).toBeInViewport({ ratio: 0.99 });
  }
  expect(window.scrollY).toBe(450);
});

test('a menu whose button is near the left edge is not cut off there', async () => {
  await resizeScreen(195, 422);
  const items = [{ label: 'Ask again in 7 days', icon: null, onSelect: onEdit }];
  await render(<Menu label="Entry" icon="+" text="Add entry" items={items} />);
  await page.getByRole('button', { name: 'Entry' }).click();
  await expect.element(item('Ask again in 7 days')).toHaveFocus();
  const { left, right } = page
    .getByRole('menu', { name: 'Entry' })
    .element()
    .getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(195);
});
