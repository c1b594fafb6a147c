export type LineType = 'blank' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'fence' | 'code';

const fence = /^ {0,3}(?:```|~~~)/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;

/** Classifies lines of Markdown from top to bottom. Text right below a list item belongs to the list. */
export class LineReader {
  last: LineType = 'blank';
  /** A list goes on over blank lines and indented text. */
  isInList = false;
  #isInFence = false;

  /** The type of the next line, without consuming it. */
  peek(line: string): LineType {
    if (fence.test(line)) return 'fence';
    if (this.#isInFence) return 'code';
    if (line.trim() === '') return 'blank';
    if (/^ {0,3}#{1,6}(?:\s|$)/.test(line)) return 'heading';
    if (/^ {0,3}>/.test(line)) return 'quote';
    if (/^ {0,3}\|/.test(line)) return 'table';
    if (listItem.test(line) && !rule.test(line)) return 'list';
    return this.last === 'list' || this.last === 'quote' ? this.last : 'text';
  }

  /** Consumes a line and returns its type. */
  pass(line: string): LineType {
    const type = this.peek(line);
    if (type === 'fence') this.#isInFence = !this.#isInFence;
    if (type === 'list') this.isInList = true;
    else if (type !== 'blank' && !/^\s/.test(line)) this.isInList = false;
    this.last = type;
    return type;
  }
}
