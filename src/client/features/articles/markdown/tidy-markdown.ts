import { readStep, type StepLook, stepLook, writeStep } from './step-lines.ts';

const lead = /^[\s\u200b]*/;
const oddSpaceAfterMark = /^([-*+]|\d{1,9}[.)]|#{1,6})(?! )[\s\u200b]+/;
const bullet = /^[•◦▪▫‣·●○■□∙⁃➤►]\s*(?=\S)/u;
const dashBullet = /^[–—―−]\s+(?=\S)/u;
const tip =
  /^(?:(\*\*|__)(?:pro )?tip\s*(?::\s*\1|\1\s*:)|(?:pro )?tip\s*:|tip\s+[–—-]\s)\s*(\S.*)$/i;
const numberedTip = /^(\*\*|__)?tip\s+\d{1,2}\s*[:.)]\s*(?:\1)?\s*(\S.*)$/i;
const sectionTitle = /^(\*\*|__)?(tips|steps)\s*:\s*(?:\1)?$/i;
const item = /^(?:[-*+]|\d{1,9}[.)])\s/;

/** List markers that are not Markdown, and the Markdown that replaces them. */
const itemMarks: readonly [mark: RegExp, written: string][] = [
  [bullet, '- '],
  [/^\(?(\d{1,3})\)\s*(?=\p{L})/u, '$1. '],
  [/^(\d{1,2})\.(?=\p{L})/u, '$1. '],
  [/^-(?=\p{L})/u, '- '],
];

/**
 * Turns loosely formatted lists, steps and tips into proper Markdown and separates blocks by a blank line (spec section
 * 2, Article detail). Well-formed text and fenced code stay unchanged. Indented code is not supported: an indented item
 * starts a list.
 */
export function tidyMarkdown(loose: string): string {
  const lines = loose.replace(/^\ufeff/, '').split(/\r\n?|[\n\u2028\u2029]/);
  return separateBlocks(tidyLines(outsideCode(lines, spaced))).join('\n');
}

function outsideCode(
  lines: readonly string[],
  tidy: (line: string, reader: LineReader, index: number) => string,
): string[] {
  const reader = new LineReader();
  return lines.map((line, index) => {
    const type = reader.peek(line);
    const tidied = type === 'fence' || type === 'code' ? line : tidy(line, reader, index);
    reader.pass(tidied);
    return tidied;
  });
}

/** Normalizes the space before a line's text and after its marker. */
function spaced(line: string): string {
  const [before = ''] = lead.exec(line) ?? [];
  const text = line.slice(before.length);
  if (text === '') return '';
  const indent = before
    .replace(/\u200b/g, '')
    .replace(/\t/g, '    ')
    .replace(/[^ ]/g, ' ');
  return indent + text.replace(oddSpaceAfterMark, '$1 ');
}

function tidyLines(lines: readonly string[]): string[] {
  let steps: StepLook | null = null;
  let listIndent = 0;
  return outsideCode(lines, (line, reader, index) => {
    const step = readStep(line);
    if (step) {
      steps ??= stepLook(step, lines.slice(index + 1));
      return writeStep(step, steps);
    }
    if (/^#{1,6} /.test(line)) steps = null;
    const isAfterColon = lines[index - 1]?.trimEnd().endsWith(':') === true;
    // Inside a paragraph a dash is punctuation, not a list marker.
    const mayBeItem = reader.last !== 'text' || isAfterColon;
    const tidied = tidyLine(line, mayBeItem);
    const text = tidied.trimStart();
    const indent = tidied.length - text.length;
    if (!reader.isInList && item.test(text))
      listIndent = tidied === line && indent < 4 ? 0 : indent;
    return listIndent > 0 && (reader.isInList || item.test(text))
      ? tidied.slice(Math.min(indent, listIndent))
      : tidied;
  });
}

function tidyLine(line: string, mayBeItem: boolean): string {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  if (numberedTip.test(text)) return text.replace(numberedTip, '- $2');
  if (tip.test(text)) return text.replace(tip, '> **Tip:** $2');
  const [, , title] = sectionTitle.exec(text) ?? [];
  if (title) return `### ${title.charAt(0).toUpperCase()}${title.slice(1).toLowerCase()}`;
  if (/^#{1,6}\p{L}/u.test(text)) return text.replace(/^#+/, '$& ');
  if (mayBeItem && dashBullet.test(text)) return indent + text.replace(dashBullet, '- ');
  const [mark, written] = itemMarks.find(([begin]) => begin.test(text)) ?? [];
  return mark && written ? indent + text.replace(mark, written) : line;
}

/** Inserts a blank line between blocks of different types and between headings, but not beside fenced code. */
function separateBlocks(lines: readonly string[]): string[] {
  const reader = new LineReader();
  return lines.flatMap((line) => {
    const before = reader.last;
    const type = reader.pass(line);
    const meets = before !== type || type === 'heading';
    const isInside = [before, type].some((block) => ['blank', 'fence', 'code'].includes(block));
    const isNested = /^\s/.test(line);
    return meets && !isInside && !isNested ? ['', line] : [line];
  });
}

export type LineType = 'blank' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'fence' | 'code';

const fence = /^ {0,3}(?:```|~~~)/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;

/** Classifies lines of Markdown from top to bottom. Text right below a list item or a quote belongs to it. */
class LineReader {
  last: LineType = 'blank';
  /** Blank lines and indented text do not end a list. */
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
