import { LineReader } from './markdown-lines.ts';
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

/** What begins a line of a list, and what Markdown writes there. */
const itemMarks: readonly [mark: RegExp, written: string][] = [
  [bullet, '- '],
  [/^\(?(\d{1,3})\)\s*(?=\p{L})/u, '$1. '],
  [/^(\d{1,2})\.(?=\p{L})/u, '$1. '],
  [/^-(?=\p{L})/u, '- '],
];

/**
 * Turns loosely formatted lists, steps and tips into Markdown's lists and headings, and gives each block its blank
 * line (spec section 2, Article detail). Changes no well-formed text; code in fences stays as it is. Indented code is
 * no part of our articles: an indented item outside a list is a list.
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
    const kind = reader.peek(line);
    const tidied = kind === 'fence' || kind === 'code' ? line : tidy(line, reader, index);
    reader.pass(tidied);
    return tidied;
  });
}

/** Ordinary spaces before the text and after its mark; a line of nothing but spaces is empty. */
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
    // Inside a sentence that wraps, a dash is a dash.
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

/** A blank line where one kind of block meets another. */
function separateBlocks(lines: readonly string[]): string[] {
  const reader = new LineReader();
  return lines.flatMap((line) => {
    const before = reader.last;
    const kind = reader.pass(line);
    const meets = before !== kind || kind === 'heading';
    const isInside = [before, kind].some((one) => ['blank', 'fence', 'code'].includes(one));
    const isNested = /^\s/.test(line);
    return meets && !isInside && !isNested ? ['', line] : [line];
  });
}
