import type { Page } from 'playwright';

/**
 * Prepares the page for `answerMs`, which measures the time from a click or keystroke to the frame that shows its
 * effect. The first of `events` to occur starts the measurement; for tabs, pass mousedown, because they react to it.
 */
export async function watchAnswers(
  page: Page,
  events: readonly string[] = ['click', 'input'],
): Promise<void> {
  await page.evaluate((types) => {
    const watch = { done: null as number | null, arm: (_: string, _text: string) => undefined };
    let stop = () => undefined as unknown;
    watch.arm = (selector, text) => {
      stop();
      watch.done = null;
      let touchedAt: number | null = null;
      const touched = (event: Event) => {
        touchedAt ??= event.timeStamp;
      };
      for (const type of types) window.addEventListener(type, touched, true);
      const observer = new MutationObserver(() => {
        const isShown = document.querySelector(selector)?.textContent?.includes(text);
        if (touchedAt === null || !isShown) return;
        stop();
        const from = touchedAt;
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => {
            watch.done = performance.now() - from;
          };
          channel.port2.postMessage(null);
        });
      });
      stop = () => {
        observer.disconnect();
        for (const type of types) window.removeEventListener(type, touched, true);
      };
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      return undefined;
    };
    Object.assign(window, { watch });
  }, events);
}

interface WatchedWindow {
  watch: { done: number | null; arm: (selector: string, text: string) => void };
}

/** Runs `touch`; resolves to the ms from its event to the frame in which `selector`'s element contains `text`. */
export async function answerMs(
  page: Page,
  selector: string,
  text: string,
  touch: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(
    ([where, what]) => (window as unknown as WatchedWindow).watch.arm(where, what),
    [selector, text] as const,
  );
  await touch();
  const done = await page.waitForFunction(() => (window as unknown as WatchedWindow).watch.done);
  return (await done.jsonValue()) ?? Number.NaN;
}

/**
 * Presses one key in the search field of a list of `count` plants, named 'Plant 0', 'Plant 1' and so on. `typed` is the
 * text of the field after that. Resolves to the time (ms) until the number of plants found is shown.
 */
export async function typeMs(page: Page, count: number, typed: string): Promise<number> {
  await page.bringToFront();
  const names = Array.from({ length: count }, (_, i) => `Plant ${i}`);
  const found = names.filter((name) => name.includes(typed)).length;
  const search = page.getByRole('searchbox');
  const isLonger = typed.length > (await search.inputValue()).length;
  const key = (isLonger && typed.at(-1)) || 'Backspace';
  return answerMs(page, '#plant-grid-title', `(${found})`, () => search.press(key));
}

/** Starts recording the browser's own measurement of each keystroke: from the input event to the next frame. */
export async function recordKeystrokes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const keysMs: number[] = [];
    Object.assign(window, { keysMs });
    // `durationThreshold` is missing in TypeScript's library.
    const events: PerformanceObserverInit & { durationThreshold: number } = {
      type: 'event',
      durationThreshold: 16,
    };
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name === 'input') keysMs.push(duration);
      }
    }).observe(events);
  });
}

/** The durations of `count` keystrokes, ms in steps of 8. The browser records none below 16; these count as 16. */
export async function keysMs(page: Page, count: number): Promise<number[]> {
  const kept = await page.evaluate(() => (window as unknown as { keysMs: number[] }).keysMs);
  return [...kept, ...Array.from({ length: count - kept.length }, () => 16)];
}
