import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '../../support/component/render.tsx';

test('every browser shows a placeholder in the colour of secondary text', async () => {
  await render(
    <>
      <input placeholder="Search plants..." />
      <p style={{ color: 'var(--ink-soft)' }}>Secondary text</p>
    </>,
  );
  const { color } = getComputedStyle(page.getByText('Secondary text').element());
  const input = page.getByPlaceholder('Search plants...').element();
  expect(getComputedStyle(input, '::placeholder')).toMatchObject({ color, opacity: '1' });
});
