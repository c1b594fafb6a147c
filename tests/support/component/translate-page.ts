/**
 * Does what the page translation of Chrome does: each text node is replaced by an element. React keeps the old nodes, and
 * throws an error when it removes one or inserts an element before one (facebook/react#11538). A text that it changes
 * in an old node is not shown.
 */
export function translatePage(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement?.closest('script, style')) continue;
    const font = document.createElement('font');
    font.textContent = text.data;
    text.replaceWith(font);
  }
}
