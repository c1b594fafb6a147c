const entryScript = /\s*<script type="module" crossorigin src="([^"]+)"><\/script>/;
const preloadLinks = /\s*<link rel="modulepreload"[^>]*>/g;

/**
 * The shell whose entry is run by the boot script instead of the browser: that script may have something to show
 * before. It stands first, since what is fetched before it holds it up. Pure.
 */
export function bootedDocument(html: string, bootUrl: string): string {
  const app = entryScript.exec(html)?.[1];
  if (!app) throw new Error('The page has no entry script');
  const atEnd = [
    `<script src="${bootUrl}" data-app="${app}"></script>`,
    `<link rel="modulepreload" crossorigin href="${app}">`,
    ...(html.match(preloadLinks) ?? []).map((link) => link.trim()),
  ];
  return html
    .replace(entryScript, '')
    .replaceAll(preloadLinks, '')
    .replace('</body>', `${atEnd.map((tag) => `  ${tag}\n`).join('  ')}  </body>`);
}
