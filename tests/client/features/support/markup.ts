import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** The HTML of a component's first render. */
export function markupOf(element: ReactElement): string {
  return renderToStaticMarkup(element);
}

/** The text nodes of that HTML, in order. */
export function textsOf(element: ReactElement): string[] {
  return markupOf(element)
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').trim())
    .filter((text) => text !== '');
}

/** The attributes of each element of one kind, e.g. of every `input`. */
export function attributesOf(element: ReactElement, tag: string): Record<string, string>[] {
  const tags = markupOf(element).match(new RegExp(`<${tag}\\b[^>]*>`, 'g')) ?? [];
  return tags.map((text) =>
    Object.fromEntries(
      [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  );
}
