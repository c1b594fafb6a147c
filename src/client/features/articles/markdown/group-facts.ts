const nameAndSymbol = /^(.+) \(([A-Z][a-z]?)\)$/;

/** Marks the `**Name**: text` lists below these headings as card groups. An element's symbol goes on top of its card. */
export function groupFacts(fragment: DocumentFragment, headings: readonly string[]): void {
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
