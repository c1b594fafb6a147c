import { expect, test } from 'vitest';
import { landingDocument } from '#build/landing-document.ts';

const shell = `<!doctype html>
<html lang="en">
  <head>
    <title>Sprig</title>
    <link rel="icon" href="/icons/favicon.svg" type="image/svg+xml" />
    <script type="module" crossorigin src="/assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/framework-2.js">
    <link rel="preload" as="script" crossorigin href="/assets/framework-2.js">
    <link rel="stylesheet" crossorigin href="/assets/index-3.css">
  </head>
  <body>
    <div id="root"></div>
    <noscript>Sprig needs JavaScript.</noscript>
  </body>
</html>`;

const page = landingDocument({
  shell,
  markup: '<title>Plants</title><link rel="preload" as="image" href="/a.svg"/><div>$& hello</div>',
  css: 'h1{color:green}',
  scriptUrl: '/assets/landing-page-4.js',
});

test('the page waits for no script and no style sheet of the app', () => {
  expect(page).not.toMatch(/index-1|framework-2|index-3/);
  expect(page).toContain('<style>h1{color:green}</style>');
  expect(page.match(/<script\b[^>]*>/g)).toEqual([
    '<script type="module" crossorigin src="/assets/landing-page-4.js">',
  ]);
});

test('it has one title, its own, and keeps what else the shell says of itself', () => {
  expect(page.match(/<title>.*?<\/title>/g)).toEqual(['<title>Plants</title>']);
  expect(page).toContain('favicon.svg');
  expect(page.indexOf('rel="preload"')).toBeLessThan(page.indexOf('</head>'));
});

test('the markup stands in the root as it is, and nobody is told that scripts are needed', () => {
  expect(page).toContain('<div id="root"><div>$& hello</div></div>');
  expect(page).not.toContain('noscript');
});
