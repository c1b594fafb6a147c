import { expect, test } from 'vitest';
import { pathTitle } from '#client/features/landing/site/coming-soon.tsx';

test.each([
  ['/blog', 'Blog'],
  ['/about-us', 'About Us'],
  ['/terms-of-service/', 'Terms Of Service'],
  ['/more/help-center', 'Help Center'],
  ['/', ''],
])('the page at %j is titled %j', (pathname, title) => {
  expect(pathTitle(pathname)).toBe(title);
});
