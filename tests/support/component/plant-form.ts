import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { button } from './form.ts';

export async function fillNames(nickname: string): Promise<void> {
  await page.getByLabelText('Nickname').fill(nickname);
  await page.getByLabelText('Plant name').fill('Boston Fern');
  await page.getByLabelText('Species').fill('Boston Fern');
}

/** Goes from the first step to the last, which has the Save button. */
export async function goToLastStep(): Promise<void> {
  await button('Next').click();
  await expect.element(page.getByLabelText(/^Watering frequency/)).toBeVisible();
  await button('Next').click();
  await expect.element(page.getByLabelText(/^Device ID/)).toBeVisible();
}
