import { expect, test } from 'vitest';
import { signInDocument } from '#build/sign-in-document.ts';

const shell = `<!doctype html>
<html lang="en">
  <head>
    <title>Sprig</title>
  </head>
  <body>
    <div id="root"></div>
    <script src="/assets/boot-1.js" data-app="/assets/index-2.js"></script>
  </body>
</html>`;

const page = signInDocument({
  shell,
  markup:
    '<title>Sign In</title><div><label for="_R_1_">Password</label><input type="password" autoComplete="current-password" id="_R_1_" name="password"/>$&</div>',
  css: 'input{color:green}',
});

test('the shell stays what it is, with the picture after its root and before the boot script', () => {
  const picture = /\n {4}<div id="first-paint".*<\/div>(?=\n)/;
  expect(page.replace(picture, '').replace(/ +<noscript>.*<\/noscript>\n/, '')).toBe(shell);
  expect(page.search(picture)).toBe(page.indexOf('<div id="root"></div>') + 21);
});

test('the picture has its styles with it and is out of reach of hands, keyboards and screen readers', () => {
  expect(page).toContain('<div id="first-paint" inert aria-hidden="true">');
  expect(page).toContain('<template shadowrootmode="closed"><style>input{color:green}</style>');
});

test('without scripts it is not there', () => {
  const head = page.slice(0, page.indexOf('</head>'));
  expect(head).toContain('<noscript><style>#first-paint{display:none}</style></noscript>');
});

test('nothing in it can be taken for a field to fill in or to point at', () => {
  expect(page).toContain('<div><label>Password</label><input/>$&</div>');
});
