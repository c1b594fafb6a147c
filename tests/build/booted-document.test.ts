import { expect, test } from 'vitest';
import { bootedDocument } from '#build/booted-document.ts';

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

const cssOf = (url: string) => `.of-${url.slice(8, -4)}{color:red}\n`;

test('the app is fetched but not run, and nothing of it before the boot script', () => {
  const page = bootedDocument(built, '/assets/boot-4.js', cssOf);
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
});

test('the styles stand in the page, where their link stood, and nothing is fetched for them', () => {
  const page = bootedDocument(built, '/assets/boot-4.js', cssOf);
  expect(page).toContain('<style>.of-index-3{color:red}</style>');
  expect(page.indexOf('<style>')).toBeLessThan(page.indexOf('</head>'));
  expect(page.match(/<link rel="stylesheet"[^>]*>/g)).toEqual([
    '<link rel="stylesheet" href="/assets/index-3.css" disabled>',
  ]);
});

test('a page without an entry is an error of the build', () => {
  expect(() => bootedDocument('<html><body></body></html>', '/boot.js', cssOf)).toThrow(/entry/);
});
