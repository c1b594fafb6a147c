import type { Page } from 'playwright';

/** What of the page could be scrolled sideways, is cut off at a side of the screen, or is wider than its place. */
export async function sidewaysParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCutOff = (el: Element) => {
      const { left, right, width } = el.getBoundingClientRect();
      const isInSight = width > 1 && left < window.innerWidth && right > 0;
      return isInSight && (left < -0.5 || right > window.innerWidth + 0.5);
    };
    const isScrolled = (el: Element) =>
      el.scrollWidth > el.clientWidth && /auto|scroll/.test(getComputedStyle(el).overflowX);
    const isSpilled = (el: Element) =>
      el.matches('ul, dl, p, h1, h2, h3') &&
      el.scrollWidth > el.clientWidth + 1 &&
      getComputedStyle(el).overflowX === 'visible';
    const page = document.documentElement;
    const isWide = page.scrollWidth > window.innerWidth;
    const parts = [...document.querySelectorAll('body *')].filter(
      (el) =>
        el.checkVisibility({ visibilityProperty: true }) &&
        (isCutOff(el) || isScrolled(el) || isSpilled(el)),
    );
    return [...(isWide ? [page] : []), ...parts].map((el) => el.outerHTML.slice(0, 80));
  });
}
