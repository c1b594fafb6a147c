// Functions that measure the page in which they run. Component tests call them; e2e tests pass them to page.evaluate(),
// which serializes them, so none may use anything outside its own body.

/**
 * Elements that can be scrolled sideways or are cut off at a side of the screen, and lists, paragraphs, headings and
 * tabs narrower than their content.
 */
export function sidewaysParts(): string[] {
  const isCutOff = (el: Element) => {
    const { left, right, width } = el.getBoundingClientRect();
    const isInSight = width > 1 && left < window.innerWidth && right > 0;
    return isInSight && (left < -0.5 || right > window.innerWidth + 0.5);
  };
  const isScrolled = (el: Element) =>
    el.scrollWidth > el.clientWidth && /auto|scroll/.test(getComputedStyle(el).overflowX);
  const isSpilled = (el: Element) =>
    el.matches('ul, dl, p, h1, h2, h3, [role="tab"]') &&
    el.scrollWidth > el.clientWidth + 1 &&
    getComputedStyle(el).overflowX === 'visible';
  // Invisible, and removed 300 ms after a tap, perhaps one of an earlier test.
  const isTapShield = (el: Element) =>
    el.matches('body > [data-above-dialogs]') && el.childElementCount === 0;
  const page = document.documentElement;
  const isWide = page.scrollWidth > window.innerWidth;
  const parts = [...document.querySelectorAll('body *')].filter(
    (el) =>
      !isTapShield(el) &&
      el.checkVisibility({ visibilityProperty: true }) &&
      (isCutOff(el) || isScrolled(el) || isSpilled(el)),
  );
  return [...(isWide ? [page] : []), ...parts].map((el) => el.outerHTML.slice(0, 80));
}

/**
 * Touch targets less than 44 pixels high or wide. A checkbox counts with its label; a link within a label is exempt.
 */
export function smallTargets(): string[] {
  return [
    ...document.querySelectorAll(
      'button, a, input:not([type="checkbox"]), select, textarea, label:has(input)',
    ),
  ]
    .filter((el) => el.checkVisibility({ visibilityProperty: true }))
    .filter((el) => !(el.matches('a') && el.closest('label')))
    .map((el) => ({ name: el.outerHTML.slice(0, 80), box: el.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > 0 && (box.height < 44 || box.width < 44))
    .map(({ name, box }) => `${box.width} x ${box.height}: ${name}`);
}

/** The left edge of a character of the element's text. `at`: its index, or -1 for the last one. */
export function leftOfCharacter({ firstChild }: Element, at: number): number {
  if (!(firstChild instanceof Text)) throw new Error('The element has no text');
  const index = at < 0 ? firstChild.length + at : at;
  const range = new Range();
  range.setStart(firstChild, index);
  range.setEnd(firstChild, index + 1);
  return range.getBoundingClientRect().left;
}
