import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { tidyMarkdown } from './tidy-markdown.ts';

export interface ArticleSection {
  id: string;
  title: string;
}

export interface RenderedArticle {
  body: DocumentFragment;
  /** The level-2 headings. */
  sections: readonly ArticleSection[];
}

const marked = new Marked({ gfm: true });

/** Headings whose lists are shown as cards, by article (spec section 2, Article detail). */
const groupedLists: Readonly<Record<string, readonly string[]>> = {
  'understanding-plant-nutrition': ['Macronutrients', 'Micronutrients', 'Kinds of fertilizer'],
};

/**
 * Renders an article's Markdown to sanitized DOM. The fragment must be inserted as it is, never through a string:
 * parsing sanitized HTML a second time can produce elements that the sanitizer did not see.
 */
export function renderArticle({
  slug,
  content,
}: {
  slug: string;
  content: string;
}): RenderedArticle {
  const body = cleanHtml(toHtml(tidyMarkdown(content)));
  const sections = addSectionIds(body);
  groupFacts(body, groupedLists[slug] ?? []);
  for (const table of body.querySelectorAll('table')) makeScrollable(table);
  return { body, sections };
}

function toHtml(markdown: string): string {
  try {
    return marked.parse(markdown, { async: false });
  } catch (error) {
    // Thousands of nested quotes overflow the parser; show the plain text instead.
    console.warn('An article could not be read as Markdown:', error);
    const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<pre>${escaped}</pre>`;
  }
}

/** Gives each heading an id. Its prefix prevents a conflict with an id of the app. */
function addSectionIds(body: DocumentFragment): ArticleSection[] {
  const taken = new Set<string>();
  const headings = [...body.querySelectorAll('h2, h3, h4, h5, h6')];
  for (const heading of headings) {
    const words = heading.textContent.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const wanted = ['section', ...words].join('-');
    let id = wanted;
    for (let copy = 2; taken.has(id); copy++) id = `${wanted}-${copy}`;
    taken.add(id);
    heading.id = id;
  }
  return headings
    .filter(({ tagName }) => tagName === 'H2')
    .map(({ id, textContent }) => ({ id, title: textContent.trim() }));
}

/** Wraps a table in a container, in which a wide table scrolls by touch and by keyboard. */
function makeScrollable(table: HTMLTableElement): void {
  const box = table.ownerDocument.createElement('div');
  box.setAttribute('data-table', '');
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', `Table: ${columnsOf(table)}`);
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

function columnsOf(table: HTMLTableElement): string {
  return [...table.querySelectorAll('th')].map(({ textContent }) => textContent.trim()).join(', ');
}

const tags =
  'p h2 h3 h4 h5 h6 ul ol li strong em b i del sub sup code pre blockquote hr br table thead tbody tr th td a';
const safeAddress = /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i;
const externalLink = /^https?:/i;

/** Sanitizes HTML: only text elements stay, without scripts, styles, pictures, forms, ids or names. */
function cleanHtml(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags.split(' '),
    ALLOWED_ATTR: ['href', 'align', 'start'],
    ADD_URI_SAFE_ATTR: ['align', 'start'],
    ALLOWED_URI_REGEXP: safeAddress,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    if (!externalLink.test(link.getAttribute('href') ?? '')) continue;
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return fragment;
}

const nameAndSymbol = /^(.+) \(([A-Z][a-z]?)\)$/;

/**
 * Marks the `**Name**: text` lists right below these headings as groups of cards. A chemical symbol after the name, as
 * in `**Iron (Fe)**`, moves to the top of its card.
 */
function groupFacts(fragment: DocumentFragment, headings: readonly string[]): void {
  for (const heading of fragment.querySelectorAll('h2, h3')) {
    const list = heading.nextElementSibling;
    const isListed = headings.includes(heading.textContent.trim());
    if (!isListed || list?.tagName !== 'UL') continue;
    const items = [...list.children].filter((item) => item.firstElementChild?.tagName === 'STRONG');
    if (items.length !== list.children.length) continue;
    list.setAttribute('data-facts', '');
    items.forEach(groupItem);
  }
}

function groupItem(item: Element): void {
  const name = item.firstElementChild;
  if (!name) return;
  const words = item.ownerDocument.createElement('div');
  words.append(...[...item.childNodes].filter((node) => node !== name));
  item.append(words);
  const begin = words.firstChild;
  if (begin?.nodeType === Node.TEXT_NODE) {
    begin.nodeValue = (begin.nodeValue ?? '').replace(/^\s*[:–—-]?\s*/, '');
  }
  const [, word, symbol] = nameAndSymbol.exec(name.textContent) ?? [];
  if (!word || !symbol) return;
  const mark = item.ownerDocument.createElement('span');
  mark.setAttribute('data-symbol', '');
  mark.textContent = symbol;
  name.textContent = word;
  name.before(mark);
}
