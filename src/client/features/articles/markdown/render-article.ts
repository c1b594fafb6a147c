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

/** The article whose lists of nutrients and fertilizers are grouped (spec section 2, Article detail). */
const groupedLists: Readonly<Record<string, readonly string[]>> = {
  'understanding-plant-nutrition': ['Macronutrients', 'Micronutrients', 'Kinds of fertilizer'],
};

/**
 * An article's text as a piece of the page: tidied, rendered and cleaned of whatever is no text. It goes into the page
 * as it is, never by way of a string: a second parsing could make of it what the first did not see.
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
    // Thousands of nested quotes are too deep for the parser; then the words alone are shown.
    console.warn('An article could not be read as Markdown:', error);
    const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<pre>${escaped}</pre>`;
  }
}

/** Each heading gets an address; the prefix keeps it from taking a name that the page itself uses. */
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

/** A table that is too wide scrolls inside itself, by finger and by keyboard. */
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
