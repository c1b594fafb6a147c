export type LineKind = 'blank' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'fence' | 'code';

const fence = /^ {0,3}(?:```|~~~)/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;

/** What lines of Markdown are, read from top to bottom: what follows an item without a gap belongs to the list. */
export class LineReader {
  last: LineKind = 'blank';
  /** A list goes on over blank lines and indented text. */
  isInList = false;
  #isInFence = false;

  /** The kind that the next line would have. */
  peek(line: string): LineKind {
    if (fence.test(line)) return 'fence';
    if (this.#isInFence) return 'code';
    if (line.trim() === '') return 'blank';
    if (/^ {0,3}#{1,6}(?:\s|$)/.test(line)) return 'heading';
    if (/^ {0,3}>/.test(line)) return 'quote';
    if (/^ {0,3}\|/.test(line)) return 'table';
    if (listItem.test(line) && !rule.test(line)) return 'list';
    return this.last === 'list' || this.last === 'quote' ? this.last : 'text';
  }

  /** Goes past a line. */
  pass(line: string): LineKind {
    const kind = this.peek(line);
    if (kind === 'fence') this.#isInFence = !this.#isInFence;
    if (kind === 'list') this.isInList = true;
    else if (kind !== 'blank' && !/^\s/.test(line)) this.isInList = false;
    this.last = kind;
    return kind;
  }
}
