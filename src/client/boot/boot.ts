import type { FirstPaint } from './first-paint.ts';

// A classic script of its own, the last thing in the page's body: it imports nothing, so that it runs before the
// app's modules. It shows the cards as they were last seen, and starts the app once they, or the form that the page
// came with, are painted.

const boot = document.currentScript;

/** The kept picture is only for the session and the build that it was taken of. */
function firstPaintFor(app: string): FirstPaint | null {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      const kept: FirstPaint | null = JSON.parse(storage.getItem('sprig.first-paint') ?? 'null');
      const isOfSession = kept !== null && storage.getItem('sprig.token') === kept.token;
      if (isOfSession && kept.app === app && kept.address === location.pathname + location.search) {
        return kept;
      }
    }
  } catch {
    // Storage is denied, or holds something else: the app then starts without.
  }
  return null;
}

/** The form that the page may have come with is for those who are not signed in. */
function isSignedIn(): boolean {
  try {
    return [localStorage, sessionStorage].some((storage) => storage.getItem('sprig.token'));
  } catch {
    return false;
  }
}

function show({ css, html }: FirstPaint): void {
  const host = document.createElement('div');
  host.id = 'first-paint';
  host.inert = true;
  host.ariaHidden = 'true';
  // Closed: what looks for something in the page finds the app's own alone, and no style leaks out.
  const paint = host.attachShadow({ mode: 'closed' });
  paint.innerHTML = html;
  const style = document.createElement('style');
  style.textContent = css;
  paint.prepend(style);
  document.body.append(host);
}

function pictured(): HTMLElement | null {
  return document.getElementById('first-paint');
}

function start(app: string): void {
  const script = document.createElement('script');
  script.type = 'module';
  script.crossOrigin = '';
  script.src = app;
  script.onerror = () => pictured()?.remove();
  document.head.append(script);
}

if (boot?.dataset.app) {
  const { app } = boot.dataset;
  const kept = firstPaintFor(app);
  if (isSignedIn()) pictured()?.remove();
  if (kept) show(kept);
  // A page in the background paints no frames.
  if (pictured() && document.visibilityState === 'visible') {
    requestAnimationFrame(() => setTimeout(() => start(app)));
  } else start(app);
}
