import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>;

declare global {
  interface Window {
    /** Once axe has been in the page. */
    axe: { run: (place: Document, options: object) => Promise<Results> };
  }
}

/** Passed rules are not reported, because that takes longer than the check itself. */
const options = { resultTypes: ['violations' as const] };

/** Accessibility violations of the current page, in the light and the dark theme. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  await wear(page, 'light');
  // The app has no frames, for which axe would otherwise open a page of its own each time.
  const inLight = await new AxeBuilder({ page }).setLegacyMode().options(options).analyze();
  await wear(page, 'dark');
  // The themes differ in their colours and in nothing else.
  const inDark = await page.evaluate(
    (chosen) => window.axe.run(document, { ...chosen, runOnly: ['color-contrast'] }),
    options,
  );
  return [...inLight.violations, ...inDark.violations].flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html}`),
  );
}

/** A colour on its way from one theme to the other is nobody's colour. */
function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  return page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}
