import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>;

declare global {
  interface Window {
    /** Set once axe was loaded into the page. */
    axe: { run: (place: Document, options: object) => Promise<Results> };
  }
}

/** Reports violations only, because a report of the passed rules takes longer than the check itself. */
const options = { resultTypes: ['violations' as const] };

/** Accessibility violations of the current page, in the light and the dark theme. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  await wear(page, 'light');
  // Legacy mode, because otherwise axe opens another page each time, for frames. The app has none.
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

/** Switches the theme without transitions, during which colours would be mixed. */
function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  return page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}
