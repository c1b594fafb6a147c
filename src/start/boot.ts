import type { FirstPaint } from './first-paint.ts';

// A classic script of its own, the last thing in the page's body: it imports nothing, so that it runs before the
// app's modules. It shows the cards as they were last seen, and starts the app once they are painted.

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

function start(app: string): void {
  const script = document.createElement('script');
  script.type = 'module';
  script.crossOrigin = '';
  script.src = app;
  script.onerror = () => document.getElementById('first-paint')?.remove();
  document.head.append(script);
}

if (boot?.dataset.app) {
  const { app } = boot.dataset;
  const kept = firstPaintFor(app);
  if (kept) show(kept);
  // A page in the background paints no frames.
  if (kept && document.visibilityState === 'visible') {
    requestAnimationFrame(() => setTimeout(() => start(app)));
  } else start(app);
}
