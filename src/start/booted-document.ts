const entryScript = /\s*<script type="module" crossorigin src="([^"]+)"><\/script>/;
const preloadLinks = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g;

/**
 * The shell whose entry is run by the boot script instead of the browser: that script may have something to show
 * before. It stands first, since what is fetched before it holds it up. Pure.
 */
export function bootedDocument(html: string, bootUrl: string): string {
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
    .replace('</body>', `${atEnd.map((tag) => `  ${tag}\n`).join('  ')}  </body>`);
}

/** Fetched and no more: to make modules of them is work that the first paint need not wait for. */
function preloaded(url: string): string {
  return `<link rel="preload" as="script" crossorigin href="${url}">`;
}
