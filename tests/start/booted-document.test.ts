import { expect, test } from 'vitest';
import { bootedDocument } from '#start/booted-document.ts';

const built = `<html>
  <head>
    <script type="module" crossorigin src="/assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/framework-2.js">
    <link rel="stylesheet" crossorigin href="/assets/index-3.css">
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>`;

test('the app is fetched but not run, and nothing of it before the boot script', () => {
  const page = bootedDocument(built, '/assets/boot-4.js');
  expect(page.match(/<script\b[^>]*>/g)).toEqual([
    '<script src="/assets/boot-4.js" data-app="/assets/index-1.js">',
  ]);
  expect(page.match(/(boot|index|framework)-\d\.js/g)).toEqual([
    'boot-4.js',
    'index-1.js',
    'index-1.js',
    'framework-2.js',
  ]);
  expect(page.indexOf('id="root"')).toBeLessThan(page.indexOf('<script'));
  expect(page).toContain('index-3.css');
});

test('a page without an entry is an error of the build', () => {
  expect(() => bootedDocument('<html><body></body></html>', '/boot.js')).toThrow(/entry/);
});
