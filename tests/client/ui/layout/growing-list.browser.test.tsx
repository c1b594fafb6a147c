import { useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
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

test('a new filter starts again with a few items', async () => {
  // The length of a list is remembered by the path of its screen.
  const { pathname } = window.location;
  window.history.replaceState(window.history.state, '', '/a-filtered-list');
  onTestFinished(() => window.history.replaceState(window.history.state, '', pathname));
  await render(<FilteredList />);
  const shown = () => document.querySelectorAll('li p').length;
  await expect.poll(shown).toBe(items.length);
  await button('Filter').click();
  await expect.poll(shown).toBeLessThan(10);
});
