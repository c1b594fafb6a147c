import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { deferred } from '../deferred.ts';
import type { FakeApi, FakeResponse } from './api.ts';

export function button(name: string) {
  return page.getByRole('button', { name, exact: true });
}

/** The form on the screen. */
export function currentForm(): HTMLFormElement {
  const form = document.querySelector('form');
  if (!form) throw new Error('There is no form on the screen');
  return form;
}

/** Every field marked as invalid, in order, with its error message. */
export function fieldErrors(): [label: string, message: string][] {
  return [...currentForm().querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map(
    (field) => {
      const message = document.getElementById(field.getAttribute('aria-describedby') ?? '');
      return [field.labels?.[0]?.textContent ?? '', message?.textContent ?? ''];
    },
  );
}

/** The attributes that phone keyboards and password managers read, for each text field in order. */
export function fieldHints(): string[] {
  const fields = currentForm().querySelectorAll<HTMLInputElement>('input:not([type="checkbox"])');
  return [...fields].map(({ autocomplete, enterKeyHint, inputMode, type }) =>
    [type, autocomplete, enterKeyHint, inputMode].filter(Boolean).join(' '),
  );
}

/** The values of all inputs and checkboxes, in order. */
export function fieldValues(): (string | boolean)[] {
  return [...currentForm().querySelectorAll('input')].map((field) =>
    field.type === 'checkbox' ? field.checked : field.value,
  );
}

/**
 * Submits the form twice at once, as two quick taps do, and once more while it waits. Expects a single API call, and a
 * disabled button named `progress` until the response.
 */
export async function submitRepeatedly(
  api: FakeApi,
  route: string,
  progress: string,
  response: FakeResponse,
): Promise<void> {
  const { promise, resolve } = deferred();
  api.respond(route, async () => {
    await promise;
    return response;
  });
  const form = currentForm();
  form.requestSubmit();
  form.requestSubmit();
  await expect.element(button(progress)).toBeDisabled();
  form.requestSubmit();
  expect(api.calls.filter((call) => call.route === route)).toHaveLength(1);
  resolve();
}

/** Shows a password and hides it again. */
export async function togglePassword(label: string): Promise<void> {
  const field = page.getByLabelText(label, { exact: true });
  const name = label.toLowerCase();
  await expect.element(field).toHaveAttribute('type', 'password');
  await button(`Show ${name}`).click();
  await expect.element(field).toHaveAttribute('type', 'text');
  await button(`Hide ${name}`).click();
  await expect.element(field).toHaveAttribute('type', 'password');
}
