import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

// node lighthouse.mjs URL CHROMIUM: prints as JSON the scores and failed audits of one mobile run in a new browser.
const [url, chromePath] = process.argv.slice(2);
const { categories, audits } = await examine(3);
const scores = Object.entries(categories).map(([id, { score }]) => [id, Math.round(score * 100)]);
// Audits without a weight do not count for the score.
const lost = Object.values(categories)
  .flatMap(({ auditRefs }) => auditRefs)
  .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
  .map(({ id }) => id);
console.log(JSON.stringify({ scores: Object.fromEntries(scores), lost }));

/** Runs Lighthouse, at most `tries` times: on a busy machine it may fail because the trace lacks its beginning. */
async function examine(tries) {
  const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox'] });
  const { lhr } = await lighthouse(url, {
    port: chrome.port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
  });
  chrome.kill();
  if (!lhr.runtimeError) return lhr;
  if (tries === 1) throw new Error(lhr.runtimeError.message);
  console.error(`${url}: ${lhr.runtimeError.code}, again`);
  return examine(tries - 1);
}
