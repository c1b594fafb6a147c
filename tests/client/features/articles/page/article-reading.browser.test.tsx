import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { articles } from '#client/features/articles/list/articles.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { emulateMedia, resizeScreen } from '../../../../support/component/browser.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

beforeEach(async () => {
  fakeApi();
  await signInAs();
});

const contents = () => page.getByRole('navigation', { name: 'In this article:' });
const strip = () => document.querySelector('[class*=progress] > p');

async function openArticle(slug: string): Promise<void> {
  await openApp(`/dashboard/articles/${slug}`);
  await expect.element(page.getByRole('link', { name: 'Return to Articles' })).toBeInTheDocument();
}

test.each(articles)('$slug is accessible in both themes', async ({ slug }) => {
  await openArticle(slug);
  expect(await violationsInBothThemes()).toEqual([]);
});

test.each(['/dashboard/articles', '/dashboard/articles/no-such-article'])(
  '%s is accessible in both themes',
  async (path) => {
    await openApp(path);
    const shown = page.getByRole(path.endsWith('s') ? 'heading' : 'alert').first();
    await expect.element(shown).toBeVisible();
    expect(await violationsInBothThemes()).toEqual([]);
  },
);

test('the recent articles show their excerpts and read times', async () => {
  await openArticle('winter-plant-care');
  const recent = page.getByRole('complementary', { name: 'Recent Articles' });
  expect(recent.getByText(/^\d min read$/).elements()).toHaveLength(4);
  for (const { title, excerpt } of articles) {
    const isRecent = recent.getByRole('link', { name: title }).elements().length === 1;
    expect(recent.getByText(excerpt).elements()).toHaveLength(isRecent ? 1 : 0);
  }
});

test('a phone shows the current section below the header; a wide screen that is scrolled to the end marks the last section in the table of contents', async () => {
  await openArticle('understanding-plant-nutrition');
  const last = contents().getByRole('link').last();
  expect(strip()).toBeNull();
  const heading = page.getByRole('heading', { name: 'Kinds of fertilizer' }).element();
  heading.scrollIntoView();
  await expect.poll(() => strip()?.textContent).toBe('Kinds of fertilizer');
  await expect.poll(() => strip()?.getBoundingClientRect().y).toBe(56);
  const bottom = strip()?.getBoundingClientRect().bottom ?? 0;
  await expect.poll(() => heading.getBoundingClientRect().y).toBeGreaterThan(bottom);

  await resizeScreen(1440, 1300);
  window.scrollTo(0, document.documentElement.scrollHeight);
  await expect.element(last).toHaveAttribute('aria-current', 'location');
  expect(contents().element().querySelectorAll('[aria-current]')).toHaveLength(1);
  expect(strip()?.checkVisibility() ?? false).toBe(false);
});

test('a bar shows how far the article is scrolled', async () => {
  await openArticle('winter-plant-care');
  const share = () => {
    const bar = document.querySelector('[class*=progress] > div');
    return Number.parseFloat(bar ? getComputedStyle(bar).scale : 'none');
  };
  window.scrollTo(0, 0);
  await expect.poll(share).toBe(0);
  window.scrollTo(0, document.documentElement.scrollHeight * 0.5);
  await expect.poll(share).toBeGreaterThan(0.3);
  expect(share()).toBeLessThan(0.7);
  window.scrollTo(0, document.documentElement.scrollHeight);
  await expect.poll(share).toBe(1);
});

test('print shows only the article, in dark text even in the dark theme', async () => {
  await openArticle('winter-plant-care');
  await emulateMedia({ 'prefers-color-scheme': 'dark' }, 'print');
  await expect.element(page.getByRole('heading', { name: 'Winter Plant Care' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Sources' })).toBeVisible();
  for (const beside of [
    page.getByRole('navigation', { name: 'In this article:' }),
    page.getByRole('complementary', { name: 'Recent Articles' }),
    page.getByRole('button', { name: 'Toggle sidebar' }),
    page.getByRole('link', { name: 'Back to Articles' }),
  ]) {
    await expect.element(beside).not.toBeInTheDocument();
  }
  const texts = [...document.querySelectorAll('article :is(h1, h2, p)')];
  const levels = texts.flatMap(
    (text) => getComputedStyle(text).color.match(/\d+/g)?.map(Number) ?? [],
  );
  expect(levels.length).toBeGreaterThan(30);
  expect(Math.max(...levels)).toBeLessThan(128);
});

test.each([320, 768, 1440])(
  'on a screen %d pixels wide articles do not scroll sideways, and their lines have at most 68 characters',
  async (width) => {
    await resizeScreen(width, 800);
    const app = await openApp('/dashboard/articles');
    for (const { slug, title } of articles) {
      await app.navigate(`/dashboard/articles/${slug}`);
      const heading = page.getByRole('heading', { level: 1, name: title });
      await expect.element(heading).toBeInTheDocument();
      const beyond = document.documentElement.scrollWidth - window.innerWidth;
      expect(beyond, slug).toBeLessThanOrEqual(0);
      expect(charactersPerLine(), slug).toBeGreaterThan(20);
      expect(charactersPerLine(), slug).toBeLessThanOrEqual(68);
    }
  },
);

function charactersPerLine(): number {
  const paragraph = document.querySelector('article p + p');
  if (!paragraph) return 0;
  const probe = document.createElement('span');
  probe.textContent = '0';
  paragraph.append(probe);
  const zero = probe.getBoundingClientRect().width;
  probe.remove();
  return paragraph.getBoundingClientRect().width / zero;
}
