import { expect, test } from 'vitest';
import { clientName } from '#server/accounts/client-name.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const appleWebkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const android = 'Mozilla/5.0 (Linux; Android 10; K)';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

test.each([
  [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${android} ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`${iPhone} ${appleWebkit} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${mac} ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`, 'Chrome on Mac'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome on ChromeOS',
  ],
  [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
  [`${android} ${webkit} Chrome/142.0 Mobile Safari/537.36 EdgA/142.0`, 'Edge on Android'],
  [
    `${iPhone} ${appleWebkit} Version/18.0 EdgiOS/142.0 Mobile/15E148 Safari/604.1`,
    'Edge on iPhone',
  ],
  [`${windows} ${webkit} Chrome/141.0.0.0 Safari/537.36 OPR/125.0`, 'Opera on Windows'],
  [
    `${android} ${webkit} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'Firefox on Android'],
  [`${iPhone} ${appleWebkit} FxiOS/145.0 Mobile/15E148 Safari/604.1`, 'Firefox on iPhone'],
  [`${iPhone} ${appleWebkit} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${appleWebkit} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari on iPad',
  ],
  [`${mac} ${appleWebkit} Version/18.5 Safari/605.1.15`, 'Safari on Mac'],
  [`${iPhone} ${appleWebkit} Mobile/15E148`, 'iPhone'],
  ['Mozilla/5.0 Firefox/145.0', 'Firefox'],
  ['curl/8.16.0', null],
  ['sprig-simulator', null],
  ['', null],
  [undefined, null],
  ['Chrome'.repeat(2_000), null],
])('%j is named %j', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});
