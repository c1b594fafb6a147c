import { expect, test } from 'vitest';
import {
  articleSummary,
  parseFrontMatter,
} from '#client/features/articles/markdown/front-matter.ts';

const file =
  '---\nid: 1\ntitle: Light: a guide\nsources:\n  - One, "Two"\n  - Three\n---\nText\n\n---\nMore\n';

test('splits an article into fields, sources and text', () => {
  expect(parseFrontMatter(file)).toEqual({
    fields: { id: '1', title: 'Light: a guide' },
    sources: ['One, "Two"', 'Three'],
    content: 'Text\n\n---\nMore',
  });
});

test.each([
  ['no front matter', 'Text'],
  ['front matter without an end', '---\nid: 1\nText'],
  ['a field without a value', '---\nid:\n---\n'],
  ['a field twice', '---\nid: 1\nid: 2\n---\n'],
  ['a source before the list', '---\n  - One\nsources:\n---\n'],
  ['a field inside the list', '---\nsources:\n  - One\nid: 1\n---\n'],
  ['a blank line', '---\nid: 1\n\n---\n'],
])('text with %s is rejected', (_, broken) => {
  expect(() => parseFrontMatter(broken)).toThrow(/front matter/);
});

const article = {
  id: '7',
  title: 'Repotting',
  slug: 'repotting',
  category: 'plant-care',
  excerpt: 'A larger home.',
  published: '2026-10-01',
  readTimeMinutes: '3',
};

function withFields(fields: Record<string, string | undefined>): string {
  const lines = Object.entries({ ...article, ...fields })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`);
  return `---\n${lines.join('\n')}\n---\nText\n`;
}

test('returns the summary of an article', () => {
  expect(articleSummary(withFields({}))).toEqual({
    id: 7,
    title: 'Repotting',
    slug: 'repotting',
    categoryId: 'plant-care',
    excerpt: 'A larger home.',
    publishedDate: '2026-10-01',
    readTimeMinutes: 3,
  });
});

test.each([
  ['a missing title', { title: undefined }],
  ['an unknown category', { category: 'gardens' }],
  ['a date that is no day', { published: 'October' }],
  ['a read time that is no number', { readTimeMinutes: 'long' }],
  ['an id of zero', { id: '0' }],
  ['an unknown field', { author: 'Rosa' }],
])('rejects an article with %s', (_, fields) => {
  expect(() => articleSummary(withFields(fields))).toThrow(/front matter/);
});
