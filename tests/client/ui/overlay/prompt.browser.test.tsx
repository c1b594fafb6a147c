import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Prompt } from '#client/ui/overlay/prompt.tsx';
import { button } from '../../../support/component/form.ts';
import { render } from '../../../support/component/render.tsx';

const prompt = () => page.getByText('A new version is ready.');

const invitation = (
  <Prompt kind="install" text="Install Sprig">
    <button type="button">Install</button>
  </Prompt>
);

interface ChangeProps {
  before: ReactNode;
  after: ReactNode;
  onReady: (change: () => void) => void;
}

function Change({ before, after, onReady }: ChangeProps) {
  const [isChanged, setChanged] = useState(false);
  useEffect(() => onReady(() => setChanged(true)), [onReady]);
  return isChanged ? after : before;
}

/** Renders `before`. Returns a function that renders `after` instead, and keeps what is the same in both. */
async function renderChange(before: ReactNode, after: ReactNode): Promise<() => void> {
  const ready = Promise.withResolvers<() => void>();
  await render(<Change before={before} after={after} onReady={ready.resolve} />);
  return ready.promise;
}

function Offer() {
  return (
    <Prompt kind="update" text="A new version is ready.">
      <button type="button">Update</button>
    </Prompt>
  );
}

/** A button as large as the screen. A press on it renders the prompt. */
function Screen({ onClick }: { onClick: () => void }) {
  const [isOffered, setOffered] = useState(false);
  return (
    <>
      <button
        type="button"
        style={{ position: 'fixed', inset: 0 }}
        onPointerDown={() => setOffered(true)}
        onClick={onClick}
      >
        Below
      </button>
      {isOffered && <Offer />}
    </>
  );
}

test('while the update is offered, no other prompt is shown', async () => {
  const install = () => page.getByText('Install Sprig');
  const screen = await render(invitation);
  await expect.element(install()).toBeVisible();
  await screen.rerender(
    <>
      {invitation}
      <Offer />
    </>,
  );
  await expect.element(prompt()).toBeVisible();
  await expect.element(install()).not.toBeVisible();
});

test('the focus moves to the screen when a prompt with the focus is removed', async () => {
  const change = await renderChange(
    <main tabIndex={-1}>
      <Offer />
    </main>,
    <main tabIndex={-1} />,
  );
  await expect.element(button('Update')).toBeVisible();
  button('Update').element().focus();
  change();
  await expect.element(prompt()).not.toBeInTheDocument();
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the focus also moves to the screen when the prompt is in another React root', async () => {
  const app = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => app.remove());
  app.tabIndex = -1;
  const change = await renderChange(<Offer />, null);
  await expect.element(button('Update')).toBeVisible();
  button('Update').element().focus();
  change();
  await expect.element(prompt()).not.toBeInTheDocument();
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the focus moves to the screen when the update hides a prompt with the focus', async () => {
  const change = await renderChange(
    <main tabIndex={-1}>
      {invitation}
      {null}
    </main>,
    <main tabIndex={-1}>
      {invitation}
      <Offer />
    </main>,
  );
  await expect.element(button('Install')).toBeVisible();
  button('Install').element().focus();
  change();
  await expect.element(prompt()).toBeVisible();
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('a prompt that is removed does not take the focus from another element', async () => {
  const below = <button type="button">Below</button>;
  const change = await renderChange(
    <main tabIndex={-1}>
      {below}
      <Offer />
    </main>,
    <main tabIndex={-1}>
      {below}
      {null}
    </main>,
  );
  await expect.element(prompt()).toBeVisible();
  button('Below').element().focus();
  change();
  await expect.element(prompt()).not.toBeInTheDocument();
  await expect.element(button('Below')).toHaveFocus();
});

test('a prompt that is offered during a tap does not intercept the tap, and appears afterwards', async () => {
  const onClick = vi.fn();
  await render(<Screen onClick={onClick} />);
  const { height } = button('Below').element().getBoundingClientRect();
  await button('Below').click({ position: { x: 60, y: height - 60 } });
  expect(onClick).toHaveBeenCalledOnce();
  await expect.element(prompt()).toBeVisible();
  const covering = document.elementFromPoint(60, height - 60);
  expect(covering?.closest('[data-prompt]')).not.toBeNull();
});

test('a prompt appears once nothing has been pressed for a moment, and then stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const press = (type: string) => document.body.dispatchEvent(new Event(type, { bubbles: true }));
  await render(<Offer />);
  /** Whether the prompt is shown after `ms`. An update in flushSync is rendered before it returns. */
  const isShownAfter = (ms: number) => {
    flushSync(() => vi.advanceTimersByTime(ms));
    return prompt().elements().length > 0;
  };
  expect(isShownAfter(1_000)).toBe(false);
  press('pointerdown');
  expect(isShownAfter(10_000)).toBe(false);
  press('pointerup');
  expect(isShownAfter(1_000)).toBe(false);
  press('pointerdown');
  press('pointercancel');
  expect(isShownAfter(1_000)).toBe(false);
  expect(isShownAfter(1_000)).toBe(true);
  press('pointerdown');
  expect(isShownAfter(10_000)).toBe(true);
});
