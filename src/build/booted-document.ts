const entryScript = /\s*<script type="module" crossorigin src="([^"]+)"><\/script>/;
const preloadLinks = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g;
const styleLinks = /<link rel="stylesheet" crossorigin href="([^"]+)">/g;

/**
 * The shell whose entry is run by the boot script instead of the browser: that script may have something to show
 * before. Nothing that is fetched holds it up: it stands first, and the shell's styles (`cssOf` their address) stand
 * in the page. Pure.
 */
export function bootedDocument(
  html: string,
  bootUrl: string,
  cssOf: (url: string) => string,
): string {
  const app = entryScript.exec(html)?.[1];
  if (!app) throw new Error('The page has no entry script');
  const atEnd = [
    `<script src="${bootUrl}" data-app="${app}"></script>`,
    preloaded(app),
    ...[...html.matchAll(preloadLinks)].map(([, url = '']) => preloaded(url)),
  ];
  return html
    .replace(entryScript, '')
    .replaceAll(preloadLinks, '')
    .replaceAll(styleLinks, (_, url) => `<style>${cssOf(url).trim()}</style>${known(url)}`)
    .replace('</body>', `${atEnd.map((tag) => `  ${tag}\n`).join('  ')}  </body>`);
}

/** Fetched and no more: to make modules of them is work that the first paint need not wait for. */
function preloaded(url: string): string {
  return `<link rel="preload" as="script" crossorigin href="${url}">`;
}

/** Nothing is fetched for it; it tells those parts of the app that need the same styles that they are there. */
function known(url: string): string {
  return `<link rel="stylesheet" href="${url}" disabled>`;
}
