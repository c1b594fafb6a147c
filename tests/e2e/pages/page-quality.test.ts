import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import { sidewaysParts, smallTargets } from '../../support/layout.ts';
import { barriersInBothThemes } from '../support/phone/accessibility.ts';
import { forgetAll, type Phone } from '../support/phone/browser.ts';
import { signIn } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
const problems: string[] = [];
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  return made.close;
});
beforeEach(async () => {
  await forgetAll(phone);
  problems.length = 0;
  phone.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  phone.page.on('requestfailed', (request) => problems.push(request.url()));
});

/** The design tokens. `tokenValues` returns a token's values in the light and in the dark theme. */
const tokens = fs.readFileSync(path.join(projectRoot, 'src/client/ui/tokens.css'), 'utf8');
const tokenValues = (name: string) =>
  [...tokens.matchAll(new RegExp(`${name}: (#[0-9a-f]{6});`, 'g'))].map(([, value]) => value);
const [surface, darkSurface] = tokenValues('--surface');

test.each([
  ['/landing', 'Get Started'],
  ['/signin', 'Sign up'],
])(
  '%s has the metadata and headers for search engines, small screens and security',
  async (path, link) => {
    const { page } = phone;
    const response = await page.goto(path);
    await page.getByRole('link', { name: link }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
    const found = await page.evaluate(() => {
      const metas = (name: string) =>
        [...document.querySelectorAll<HTMLMetaElement>(`meta[name="${name}"]`)].map(
          ({ content, media }) => ({ content, media }),
        );
      const names = [...document.querySelectorAll('main, nav, header, footer, h1')];
      return {
        lang: document.documentElement.lang,
        title: document.title,
        titles: document.head.querySelectorAll('title').length,
        doctype: document.compatMode,
        description: metas('description'),
        viewport: metas('viewport').map(({ content }) => content),
        themes: metas('theme-color'),
        apple: ['capable', 'status-bar-style', 'title'].map(
          (name) => metas(`apple-mobile-web-app-${name}`)[0]?.content,
        ),
        icon: document.querySelector('link[rel="apple-touch-icon"]')?.getAttribute('href'),
        headings: names.filter(({ tagName }) => tagName === 'H1').length,
        mains: names.filter(({ tagName }) => tagName === 'MAIN').length,
        deadLinks: [...document.links].filter(({ href }) => !/^https?:/.test(href)).length,
        anchors: document.querySelectorAll('a:not([href])').length,
        bareImages: [...document.images].filter(
          (image) => !image.hasAttribute('alt') || !image.width || !image.height,
        ).length,
        smallText: [...document.querySelectorAll('p, a, button, label, li')].filter(
          (element) => Number.parseFloat(getComputedStyle(element).fontSize) < 12,
        ).length,
      };
    });
    expect(found.title).toContain('Sprig');
    expect(found.description).toHaveLength(1);
    expect(found.description[0]?.content.length).toBeGreaterThan(50);
    expect(found.viewport).toEqual(['width=device-width, initial-scale=1, viewport-fit=cover']);
    expect(found).toMatchObject({
      lang: 'en',
      titles: 1,
      doctype: 'CSS1Compat',
      themes: [
        { content: surface, media: '(prefers-color-scheme: light)' },
        { content: darkSurface, media: '(prefers-color-scheme: dark)' },
      ],
      apple: ['yes', 'default', 'Sprig'],
      icon: '/icons/apple-touch-icon.png',
      headings: 1,
      mains: 1,
      deadLinks: 0,
      anchors: 0,
      bareImages: 0,
      smallText: 0,
    });
    expect(problems).toEqual([]);
  },
);

test('sign-in, dashboard and schedule are accessible and do not scroll sideways at 320 px; touch targets of the dashboard are at least 44 px', async () => {
  const { page } = phone;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const check = async (screen: string) => {
    expect(await barriersInBothThemes(page), screen).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(sidewaysParts), screen).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
  };
  await page.goto('/signin');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await check('sign-in');
  await signIn(page);
  await check('dashboard');
  expect(await page.evaluate(smallTargets)).toEqual([]);
  await page.goto('/dashboard/schedule');
  await page.getByRole('article').first().waitFor();
  await check('schedule');
});

test("the manifest has the colours of the app's pages", async () => {
  const response = await fetch(`${server.url}/manifest.webmanifest`);
  expect(surface).toMatch(/^#/);
  expect(await response.json()).toMatchObject({
    theme_color: surface,
    background_color: tokenValues('--paper')[0],
  });
});

test('robots.txt allows the public pages only', async () => {
  const response = await fetch(`${server.url}/robots.txt`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const rules = (await response.text()).trim().split('\n');
  expect(rules[0]).toBe('User-agent: *');
  expect(rules.slice(1).map((rule) => rule.replace(/^Disallow: /, ''))).toEqual([
    '/api/',
    '/auth/',
    '/dashboard',
    '/reset-password',
  ]);
});

test('the service worker and the pages are always revalidated, hashed assets are cached for a year', async () => {
  const cacheOf = async (address: string) => {
    const response = await fetch(server.url + address);
    expect(response.status, address).toBe(200);
    return response.headers.get('cache-control');
  };
  for (const address of ['/', '/dashboard', '/sw.js', '/manifest.webmanifest', '/robots.txt']) {
    expect(await cacheOf(address), address).toBe('no-cache');
  }
  const [part] = fs.readdirSync(path.join(projectRoot, 'dist/client/assets'));
  expect(await cacheOf(`/assets/${part}`)).toBe('public, max-age=31536000, immutable');
});
