import DOMPurify from 'dompurify';

const tags =
  'p h2 h3 h4 h5 h6 ul ol li strong em b i del sub sup code pre blockquote hr br table thead tbody tr th td a';
const safeAddress = /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i;
const externalLink = /^https?:/i;

/** Sanitizes HTML: only text elements stay, without scripts, styles, pictures, forms, ids or names. */
export function cleanHtml(html: string): DocumentFragment {
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
