import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

/** What stands in somebody's way on the page as it is, in the light theme and in the dark one. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    // A colour on its way from one theme to the other is nobody's colour.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).analyze();
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)));
  }
  return found;
}
