import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { moveFocusOut } from '#client/ui/focus.ts';
import { fakeApi } from '../../support/component/api.ts';
import { openApp } from '../../support/component/open-app.tsx';

test.each(['/signin', '/landing', '/about-us'])(
  'when a prompt with the focus disappears on %s, the screen gets the focus',
  async (address) => {
    fakeApi();
    await openApp(address);
    await expect.element(page.getByRole('main')).toBeInTheDocument();
    // Prompts have a React root of their own, beside the screen.
    const prompt = document.body.appendChild(document.createElement('div'));
    onTestFinished(() => prompt.remove());
    const later = prompt.appendChild(document.createElement('button'));
    later.focus();
    expect(document.activeElement).toBe(later);
    moveFocusOut(prompt);
    await expect.element(page.getByRole('main')).toHaveFocus();
  },
);
