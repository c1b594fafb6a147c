import { Marked } from 'marked';
import { cleanHtml } from './article-html.ts';
import { groupFacts } from './group-facts.ts';
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
  const sections = nameSections(body);
  groupFacts(body, groupedLists[slug] ?? []);
  for (const table of body.querySelectorAll('table')) letScroll(table);
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

/** Gives each heading an id. The prefix keeps it apart from the ids of the app. */
function nameSections(body: DocumentFragment): ArticleSection[] {
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

/** Wraps a wide table in a container that scrolls by touch and by keyboard. */
function letScroll(table: HTMLTableElement): void {
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
