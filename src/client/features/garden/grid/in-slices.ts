import { startTransition } from 'react';
import type { Watched } from '#client/store/live-query.ts';

/**
 * Has what follows from news drawn in slices, between which the page answers a finger; several in the order in which
 * they came. `isLarge` picks the news that is worth it, all of it unless told otherwise.
 */
export function inSlices<T>(
  watched: Watched<T>,
  isLarge: (value: T, before: T | undefined) => boolean = () => true,
): Watched<T> {
  const subscribe: Watched<T>['subscribe'] = (next) => {
    let before: T | undefined;
    return watched.subscribe((value) => {
      if (isLarge(value, before)) startTransition(() => next(value));
      else next(value);
      before = value;
    });
  };
  return { ...watched, subscribe };
}
