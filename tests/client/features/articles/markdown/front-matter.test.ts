import { expect, test } from 'vitest';
import { parseFrontMatter } from '#client/features/articles/markdown/front-matter.ts';

const file =
  '---\nid: 1\ntitle: Light: a guide\nsources:\n  - One, "Two"\n  - Three\n---\nText\n\n---\nMore\n';

test('the head is fields and sources, the rest is the text', () => {
  expect(parseFrontMatter(file)).toEqual({
    fields: { id: '1', title: 'Light: a guide' },
    sources: ['One, "Two"', 'Three'],
    content: 'Text\n\n---\nMore',
  });
});

test.each([
  ['no head', 'Text'],
  ['no end', '---\nid: 1\nText'],
  ['a field without a value', '---\nid:\n---\n'],
  ['a field twice', '---\nid: 1\nid: 2\n---\n'],
  ['a source before the list', '---\n  - One\nsources:\n---\n'],
  ['a field inside the list', '---\nsources:\n  - One\nid: 1\n---\n'],
  ['a blank line', '---\nid: 1\n\n---\n'],
])('%s is refused', (_, broken) => {
  expect(() => parseFrontMatter(broken)).toThrow(/front matter/);
});
