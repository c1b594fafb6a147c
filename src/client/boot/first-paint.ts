import { keepBesideToken } from '#client/session/stored-session.ts';
import { isReady, untilReady } from './screen-ready.ts';

/**
 * What the start screen looked like, put back by the boot script before the app's code runs. It holds no text that
 * passes with time, belongs to one session and one build, and goes with the session.
 */
export interface FirstPaint {
  /** The build: the address of its entry script. */
  app: string;
  token: string;
  address: string;
  html: string;
  css: string;
}

const address = '/dashboard';
const longestHtml = 30_000;
const mostCards = 24;

/** Keeps a picture of the start screen as it stands now, and again whenever the person turns to something else. */
export function mindFirstPaint(root: HTMLElement): void {
  void untilReady(root).then(() => whenIdle(() => keepFirstPaint(root)));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keepFirstPaint(root);
  });
}

function keepFirstPaint(root: HTMLElement): void {
  const app = document.querySelector<HTMLElement>('script[data-app]')?.dataset.app;
  const isStart = window.location.pathname + window.location.search === address;
  const hasCards = root.querySelector('main article') !== null;
  if (!app || !isStart || !hasCards || isNarrowed(root) || !isReady(root)) return;
  keepBesideToken((token) =>
    JSON.stringify({ app, token, address, html: pictureOf(root), css: stylesOfPage() }),
  );
}

/** By a search or a filter, which the next start does not have. */
function isNarrowed(root: HTMLElement): boolean {
  const search = root.querySelector<HTMLInputElement>('main input[type=search]');
  const filter = root.querySelector<HTMLSelectElement>('main select');
  return search?.value !== '' || filter?.selectedIndex !== 0;
}

function pictureOf(root: HTMLElement): string {
  const picture = document.createElement('div');
  picture.append(...[...root.childNodes].map((node) => node.cloneNode(true)));
  for (const part of picture.querySelectorAll('[popover], [role=dialog], [data-passing=block]')) {
    part.remove();
  }
  for (const part of picture.querySelectorAll<HTMLElement>('[data-passing]')) {
    part.style.visibility = 'hidden';
  }
  const cards = [...picture.querySelectorAll('main article')];
  // Measuring costs as much as there is: hundreds may have been drawn.
  for (const card of cards.splice(mostCards)) card.closest('li')?.remove();
  while (picture.innerHTML.length > longestHtml && cards.length > 1) {
    cards.pop()?.closest('li')?.remove();
  }
  return picture.innerHTML;
}

/** The tokens come from the page itself; custom properties are inherited. */
function stylesOfPage(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
    .join('\n');
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 5_000 });
  else setTimeout(work, 2_000);
}
