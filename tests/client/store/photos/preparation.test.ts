import { expect, onTestFinished, test, vi } from 'vitest';
import { isPreparingPhotos, trackPreparation } from '#client/store/photos/preparation.ts';
import { deferred } from '../../../support/deferred.ts';

test('the browser asks before it closes the page only while chosen photos are prepared', async () => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  onTestFinished(() => void vi.unstubAllGlobals());
  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const work = deferred();
  const tracked = trackPreparation(work.promise);
  expect([asks(), isPreparingPhotos()]).toEqual([true, true]);
  work.resolve();
  await tracked;
  expect([asks(), isPreparingPhotos()]).toEqual([false, false]);
});
