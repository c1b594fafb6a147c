type Rule = readonly [pattern: RegExp, name: string];

/** The first match counts, because the User-Agent of most browsers also names other browsers. */
const browsers: readonly Rule[] = [
  [/\bEdg(A|iOS|e)?\//, 'Edge'],
  [/\b(OPR|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ (Mobile\/\S+ )?Safari\//, 'Safari'],
];

const systems: readonly Rule[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Browser and system of a User-Agent header in words, such as 'Firefox on Windows'; one of them alone if the other is
 * unknown, null if both are. An iPad whose browser asks for desktop pages counts as a Mac, as it claims to be one.
 */
export function clientName(userAgent: string | undefined): string | null {
  const browser = firstMatch(browsers, userAgent ?? '');
  const system = firstMatch(systems, userAgent ?? '');
  return browser && system ? `${browser} on ${system}` : (browser ?? system);
}

function firstMatch(rules: readonly Rule[], userAgent: string): string | null {
  return rules.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}
