import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { renderArticle } from '#client/features/articles/markdown/render-article.ts';
import { projectRoot } from '../../src/build/build-if-needed.mjs';
import { hostileArticles } from './support/hostile-articles.ts';

declare global {
  interface Window {
    sprig: { renderArticle: typeof renderArticle };
    alarms: string[];
  }
}

let browser: Browser;
let page: Page;
const home = 'http://sprig.test/';
const requests: string[] = [];
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  page = await browser.newPage();
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url === home) return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
    requests.push(url);
    return route.abort();
  });
  await page.goto(home);
  await page.evaluate(() => {
    window.alarms = [];
    window.alert = (what) => void window.alarms.push(String(what));
  });
  await page.addScriptTag({ content: await bundled() });
});
afterAll(() => browser.close());

/** The renderer alone, as one script for an empty page. */
async function bundled(): Promise<string> {
  const output = await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: path.join(projectRoot, 'src/client/features/articles/markdown/render-article.ts'),
        formats: ['iife'],
        name: 'sprig',
      },
    },
  });
  const [bundle] = [output].flat();
  if (!bundle || !('output' in bundle)) throw new Error('no bundle');
  return bundle.output[0].code;
}

/** Puts the article into the page, touches all of it, and tells what is wrong with it. */
async function dangersOf(content: string): Promise<string[]> {
  return page.evaluate(async (hostile) => {
    window.alarms = [];
    const { body } = window.sprig.renderArticle({ slug: 'hostile', content: hostile });
    const direct = document.createElement('div');
    direct.append(body);
    // We never do so, but it must not matter if somebody writes the article out and reads it in again.
    const again = document.createElement('div');
    again.innerHTML = direct.innerHTML;
    document.body.replaceChildren(direct, again);
    const elements = [...document.body.querySelectorAll('div > *, div > * *')];
    for (const element of elements) {
      for (const type of [
        'mouseover',
        'focus',
        'pointerenter',
        'toggle',
        'animationstart',
        'error',
        'load',
      ]) {
        element.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
    const allowed =
      /^(P|H[2-6]|UL|OL|LI|STRONG|EM|B|I|DEL|SUB|SUP|CODE|PRE|BLOCKQUOTE|HR|BR|TABLE|THEAD|TBODY|TR|TH|TD|A|DIV)$/;
    const ours: Record<string, RegExp> = {
      A: /^(href|target|rel)$/,
      DIV: /^(data-table|role|aria-label|tabindex)$/,
      OL: /^start$/,
      TH: /^align$/,
      TD: /^align$/,
    };
    const dangers = [...window.alarms.map((alarm) => `ran: ${alarm}`)];
    for (const element of elements) {
      if (!allowed.test(element.tagName)) dangers.push(`element ${element.tagName}`);
      for (const { name, value } of element.attributes) {
        const isOurId = name === 'id' && /^H[2-6]$/.test(element.tagName) && /^section/.test(value);
        if (!isOurId && !ours[element.tagName]?.test(name)) dangers.push(`${name}="${value}"`);
      }
      if (element instanceof HTMLAnchorElement && element.hasAttribute('href')) {
        const { protocol, origin, rel } = element;
        if (!['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)) dangers.push(element.href);
        const leaves = protocol.startsWith('http') && origin !== window.location.origin;
        if (leaves && !rel.includes('noopener')) dangers.push(`${element.href} rel=${rel}`);
        if (element.target !== (leaves ? '_blank' : '')) dangers.push(`target=${element.target}`);
      }
    }
    return dangers;
  }, content);
}

test.each(hostileArticles.map((text) => [text.slice(0, 70), text] as const))(
  'comes out harmless: %j',
  async (_, text) => {
    expect(await dangersOf(text)).toEqual([]);
  },
);

test('no hostile article reached another site', () => {
  expect(hostileArticles.length).toBeGreaterThanOrEqual(60);
  expect(requests).toEqual([]);
});

test('an alarm would be heard', async () => {
  const alarms = await page.evaluate(async () => {
    document.body.innerHTML = '<img src="data:," onerror="alert(1)">';
    await new Promise((resolve) => document.body.firstChild?.addEventListener('error', resolve));
    return window.alarms;
  });
  expect(alarms).toContain('1');
});

test('what is no danger stays: headings with addresses, lists, tables, quotes and links', async () => {
  const html = await page.evaluate((content) => {
    const { body, sections } = window.sprig.renderArticle({ slug: 'x', content });
    const box = document.createElement('div');
    box.append(body);
    return { html: box.innerHTML, sections };
  }, '## Light & air\n\n### Light\n\n• One\n• **Two**\n\n3) Three\n\nTip: [there](https://a.test) or [here](#section-light)\n\n## Light\n\n| a | b |\n| :- | -: |\n| 1 | x<sub>2</sub> |');
  expect(html.sections).toEqual([
    { id: 'section-light-air', title: 'Light & air' },
    { id: 'section-light-2', title: 'Light' },
  ]);
  expect(html.html.replaceAll('\n', '')).toBe(
    '<h2 id="section-light-air">Light &amp; air</h2><h3 id="section-light">Light</h3>' +
      '<ul><li>One</li><li><strong>Two</strong></li></ul><ol start="3"><li>Three</li></ol>' +
      '<blockquote><p><strong>Tip:</strong> <a href="https://a.test" target="_blank" rel="noopener noreferrer nofollow">there</a>' +
      ' or <a href="#section-light">here</a></p></blockquote><h2 id="section-light-2">Light</h2>' +
      '<div data-table="" role="region" aria-label="Table: a, b" tabindex="0"><table>' +
      '<thead><tr><th align="left">a</th><th align="right">b</th></tr></thead>' +
      '<tbody><tr><td align="left">1</td><td align="right">x<sub>2</sub></td></tr></tbody></table></div>',
  );
});

test('the lists of nutrients and fertilizers are grouped in the one article that has them', async () => {
  const content =
    '### Macronutrients\n\n- **Nitrogen (N)**: builds *leaves*\n- **Sulfur (S)**: part\n\n## Other\n\n- **A**: b';
  const grouped = await page.evaluate((text) => {
    const count = (slug: string) => {
      const { body } = window.sprig.renderArticle({ slug, content: text });
      return {
        lists: body.querySelectorAll('[data-facts]').length,
        symbols: [...body.querySelectorAll('[data-symbol]')].map((one) => one.textContent),
        first: body.querySelector('li')?.innerHTML,
      };
    };
    return [count('understanding-plant-nutrition'), count('winter-plant-care')];
  }, content);
  expect(grouped).toEqual([
    {
      lists: 1,
      symbols: ['N', 'S'],
      first:
        '<span data-symbol="">N</span><strong>Nitrogen</strong><div>builds <em>leaves</em></div>',
    },
    { lists: 0, symbols: [], first: '<strong>Nitrogen (N)</strong>: builds <em>leaves</em>' },
  ]);
});
