import type { Locator, Page } from 'playwright';
import { plantCard } from './garden.ts';

/** A nickname that the form accepts and the server rejects, because PostgreSQL cannot store U+0000. */
export const rejectedName = 'Nul\0ed';

/** Opens the wizard for a new plant from My Plants. */
export async function openAddForm(page: Page): Promise<void> {
  await page.goto('/dashboard/plants');
  await page.getByRole('button', { name: 'Add New Plant' }).click();
  await page.getByRole('dialog', { name: 'Add New Plant' }).waitFor();
}

/** Opens a plant's menu on My Plants and chooses from it. */
export async function choose(page: Page, nickname: string, action: string): Promise<void> {
  await plantCard(page, nickname)
    .getByRole('button', { name: `Actions for ${nickname}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

export async function fillNames(page: Page, nickname: string): Promise<void> {
  await page.getByLabel('Nickname').fill(nickname);
  await page.getByLabel('Plant name').fill('Boston Fern');
  await page.getByLabel('Species').fill('Boston Fern');
}

/** Goes from the first step to the last, which has the submit button. */
export async function goToLastStep(page: Page): Promise<void> {
  await next(page).click();
  await page.getByLabel(/^Watering frequency/).waitFor();
  await next(page).click();
  await page.getByLabel(/^Device ID/).waitFor();
}

/** Changes one field on the first step of a plant's form, from My Plants. */
export async function editField(
  page: Page,
  nickname: string,
  label: string | RegExp,
  value: string,
): Promise<void> {
  await choose(page, nickname, 'Edit');
  await page.getByLabel(label).fill(value);
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await untilClosed(page);
}

export function next(page: Page): Locator {
  return page.getByRole('button', { name: 'Next' });
}

export function form(page: Page): Locator {
  return page.getByRole('dialog', { name: /^(Add New|Edit) Plant$/ });
}

export async function untilClosed(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
