import type { Page } from 'playwright';

/**
 * What can be tapped and is not 44 pixels high and wide. A checkbox is tapped by its label, and a link within a sentence
 * is as high as its line.
 */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'button, a, input:not([type="checkbox"]), select, textarea, label:has(input)',
      ),
    ]
      .filter((el) => el.checkVisibility({ visibilityProperty: true }))
      .filter((el) => !(el.matches('a') && el.closest('label')))
      .map((el) => ({ name: el.outerHTML.slice(0, 80), box: el.getBoundingClientRect() }))
      .filter(({ box }) => box.bottom > 0 && (box.height < 44 || box.width < 44))
      .map(({ name, box }) => `${box.width} x ${box.height}: ${name}`),
  );
}
