import { expect, onTestFinished, test } from 'vitest';
import { announce, LiveRegion } from '#client/ui/feedback/screen-reader.tsx';
import { announced } from '../../../support/component/garden.ts';
import { render } from '../../../support/component/render.tsx';

test('a sentence that is announced again is read out again', async () => {
  onTestFinished(() => announce(''));
  const { container } = await render(<LiveRegion />);
  let readings = 0;
  // Screen readers read the region out when its text changes.
  const observer = new MutationObserver(() => {
    readings += 1;
  });
  observer.observe(container, { childList: true, characterData: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  for (const time of [1, 2, 3]) {
    announce('Monty watered');
    await expect.poll(() => readings).toBe(time);
    expect(announced()).toBe('Monty watered');
  }
});
