import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { renderArticle } from '#client/features/articles/markdown/render-article.ts';
import { hostileArticles } from './hostile-articles.ts';

const alerts: string[] = [];
const blockedRequests: string[] = [];

beforeAll(() => {
  // Blocks files of other sites and records each attempt. A policy cannot be removed, so it also applies to test
  // files that run in this page later.
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "default-src 'self' 'unsafe-inline' 'unsafe-eval' ws: data: blob:";
  document.head.append(policy);
  document.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
    blockedRequests.push(blockedURI);
  });
});
beforeEach(() => {
  alerts.length = 0;
  blockedRequests.length = 0;
  vi.spyOn(window, 'alert').mockImplementation((text) => void alerts.push(String(text)));
});
afterEach(() => document.body.replaceChildren());

/** Inserts the article into the page, fires events at all its elements, and returns every danger that it finds. */
async function dangersOf(content: string): Promise<string[]> {
  const { body } = renderArticle({ slug: 'hostile', content });
  const direct = document.createElement('div');
  direct.append(body);
  // Serializing the article and parsing it again must be harmless, although the app never does it.
  const again = document.createElement('div');
  again.innerHTML = direct.innerHTML;
  document.body.replaceChildren(direct, again);
  const elements = [...document.body.querySelectorAll('div > *, div > * *')];
  for (const element of elements) {
    for (const [type, bubbles] of eventTypes) element.dispatchEvent(new Event(type, { bubbles }));
  }
  await new Promise((resolve) => setTimeout(resolve));
  return [
    ...alerts.map((text) => `ran: ${text}`),
    ...blockedRequests.map((url) => `requested: ${url}`),
    ...elements.flatMap(elementDangers),
  ];
}

const eventTypes = [
  ['mouseover', true],
  ['focus', true],
  ['pointerenter', true],
  ['toggle', true],
  ['animationstart', true],
  ['error', false],
  ['load', false],
] as const;
const allowedTags =
  /^(P|H[2-6]|UL|OL|LI|STRONG|EM|B|I|DEL|SUB|SUP|CODE|PRE|BLOCKQUOTE|HR|BR|TABLE|THEAD|TBODY|TR|TH|TD|A|DIV)$/;
const allowedAttributes: Record<string, RegExp> = {
  A: /^(href|target|rel)$/,
  DIV: /^(data-table|role|aria-label|tabindex)$/,
  OL: /^start$/,
  TH: /^align$/,
  TD: /^align$/,
};

function elementDangers(element: Element): string[] {
  const dangers: string[] = [];
  if (!allowedTags.test(element.tagName)) dangers.push(`element ${element.tagName}`);
  for (const { name, value } of element.attributes) {
    const isOurId = name === 'id' && /^H[2-6]$/.test(element.tagName) && /^section/.test(value);
    const isAllowed = isOurId || allowedAttributes[element.tagName]?.test(name);
    if (!isAllowed) dangers.push(`${name}="${value}"`);
  }
  if (element instanceof HTMLAnchorElement && element.hasAttribute('href')) {
    const { protocol, origin, rel } = element;
    if (!['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)) dangers.push(element.href);
    const isExternal = protocol.startsWith('http') && origin !== window.location.origin;
    if (isExternal && !rel.includes('noopener')) dangers.push(`${element.href} rel=${rel}`);
    if (element.target !== (isExternal ? '_blank' : '')) dangers.push(`target=${element.target}`);
  }
  return dangers;
}

test.each(hostileArticles.map((text) => [text.slice(0, 70), text] as const))(
  'makes a hostile article harmless: %j',
  async (_, text) => {
    expect(await dangersOf(text)).toEqual([]);
  },
);

test('the list of hostile articles to test has at least 60 items', () => {
  expect(hostileArticles.length).toBeGreaterThanOrEqual(60);
});

test('these tests detect a script that runs and a request to another site', async () => {
  document.body.innerHTML =
    '<img src="data:," onerror="alert(1)"><img src="http://evil.test/pixel.gif">';
  await expect.poll(() => alerts).toContain('1');
  await expect.poll(() => blockedRequests).toEqual(['http://evil.test/pixel.gif']);
});

test('keeps headings with ids, lists, tables, quotes and links', () => {
  const content =
    '## Light & air\n\n### Light\n\n• One\n• **Two**\n\n3) Three\n\nTip: [there](https://a.test) or [here](#section-light)\n\n## Light\n\n| a | b |\n| :- | -: |\n| 1 | x<sub>2</sub> |';
  const { body, sections } = renderArticle({ slug: 'x', content });
  const box = document.createElement('div');
  box.append(body);
  expect(sections).toEqual([
    { id: 'section-light-air', title: 'Light & air' },
    { id: 'section-light-2', title: 'Light' },
  ]);
  expect(box.innerHTML.replaceAll('\n', '')).toBe(
    '<h2 id="section-light-air">Light &amp; air</h2><h3 id="section-light">Light</h3>' +
      '<ul><li>One</li><li><strong>Two</strong></li></ul><ol start="3"><li>Three</li></ol>' +
      '<blockquote><p><strong>Tip:</strong> <a href="https://a.test" target="_blank" rel="noopener noreferrer nofollow">there</a>' +
      ' or <a href="#section-light">here</a></p></blockquote><h2 id="section-light-2">Light</h2>' +
      '<div data-table="" role="region" aria-label="Table: a, b" tabindex="0"><table>' +
      '<thead><tr><th align="left">a</th><th align="right">b</th></tr></thead>' +
      '<tbody><tr><td align="left">1</td><td align="right">x<sub>2</sub></td></tr></tbody></table></div>',
  );
});

test('the lists of nutrients are grouped only in the article about plant nutrition', () => {
  const content =
    '### Macronutrients\n\n- **Nitrogen (N)**: builds *leaves*\n- **Sulfur (S)**: part\n\n## Other\n\n- **A**: b';
  const groupedIn = (slug: string) => {
    const { body } = renderArticle({ slug, content });
    return {
      lists: body.querySelectorAll('[data-facts]').length,
      symbols: [...body.querySelectorAll('[data-symbol]')].map(({ textContent }) => textContent),
      first: body.querySelector('li')?.innerHTML,
    };
  };
  expect([groupedIn('understanding-plant-nutrition'), groupedIn('winter-plant-care')]).toEqual([
    {
      lists: 1,
      symbols: ['N', 'S'],
      first:
        '<span data-symbol="">N</span><strong>Nitrogen</strong><div>builds <em>leaves</em></div>',
    },
    { lists: 0, symbols: [], first: '<strong>Nitrogen (N)</strong>: builds <em>leaves</em>' },
  ]);
});
