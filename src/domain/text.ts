/**
 * Formats a measured value: '41.5', '-3'. From 100 on it is rounded to a whole number: '12,300'. Like dates.ts, it does
 * not use Intl.
 */
export function numberText(value: number): string {
  return exactText(rounded(value));
}

/** Rounds as numberText does: to one decimal below 100, from 100 on to a whole number. */
export function rounded(value: number): number {
  return Number(value.toFixed(Math.abs(value) < 100 ? 1 : 0));
}

/** A number with all its decimals: '24.75', '12,300'. */
export function exactText(value: number): string {
  const [whole = '', ...decimals] = String(value).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}

/** A count with its noun: '1 change', '2 changes'. Pass `nouns` for a plural that is not formed with -s. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** A text as one argument of a POSIX shell. Inside single quotes only the single quote has a meaning. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escapes a text for use in HTML or SVG: as content or as an attribute value in double quotes. */
export function htmlEscaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * Converts a text to a part of a file name, at most 60 characters. Keeps letters and digits of every script. Each run
 * of other characters between them becomes one '-'. May be empty.
 */
export function fileNamePart(text: string): string {
  const name = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  return [...name].slice(0, 60).join('').replace(/^-|-$/g, '');
}
