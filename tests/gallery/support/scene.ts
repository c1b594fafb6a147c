import type { Page } from 'playwright';
import type { Who } from './studio.ts';

/** One screen in one state. */
export interface Scene {
  name: string;
  who: Who;
  show: (page: Page) => Promise<unknown>;
  /** Left out while this address leads elsewhere: nobody has made the screen yet. */
  path?: string;
  /** Only what fits on the screen instead of the whole page. */
  isCut?: boolean;
  /** On the smallest phone as well. */
  isSmallToo?: boolean;
}

/** A scene that an address alone shows, once `heading` is there. */
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
