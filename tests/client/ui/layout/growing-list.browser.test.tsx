import { useState } from 'react';
import { expect, test } from 'vitest';
import { GrowingList } from '#client/ui/layout/growing-list.tsx';
import { button } from '../../../support/component/form.ts';
import { render } from '../../../support/component/render.tsx';

const items = Array.from({ length: 40 }, (_, index) => String(index));

/** A list of items, two of which fill the screen. Its button applies a filter that all of them match. */
function FilteredList() {
  const [filterKey, setFilterKey] = useState('');
  return (
    <>
      <button type="button" onClick={() => setFilterKey('fern')}>
        Filter
      </button>
      <GrowingList items={items} keyOf={(item) => item} className={undefined} filterKey={filterKey}>
        {(item) => <p style={{ height: '50vh' }}>{item}</p>}
      </GrowingList>
    </>
  );
}

test('a new filter starts again with a few items, so that a keystroke in a long list is handled quickly', async () => {
  await render(<FilteredList />);
  const shown = () => document.querySelectorAll('li p').length;
  await expect.poll(shown).toBe(items.length);
  await button('Filter').click();
  await expect.poll(shown).toBeLessThan(10);
});
