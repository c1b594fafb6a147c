import type { Page } from 'playwright';
import type { Who } from './scene-browser.ts';

/** One screen in one state. */
export interface Scene {
  name: string;
  who: Who;
  show: (page: Page) => Promise<unknown>;
  /** The screen's path. If it redirects, the screen does not exist yet and the scene is skipped. */
  path?: string;
  /** Only what fits on the screen instead of the whole page. */
  isCut?: boolean;
  /** On the smallest phone as well. */
  isSmallToo?: boolean;
}

/** A scene that needs only its URL; complete once `heading` is shown. */
export function screen(
  who: Who,
  path: string,
  heading: string | RegExp,
  more: Partial<Scene> = {},
): Scene {
  const show = async (page: Page) => {
    await page.goto(path);
    await page.getByRole('heading', { name: heading }).first().waitFor();
  };
  return { name: path.slice(1).replaceAll('/', '-'), who, show, ...more };
}
