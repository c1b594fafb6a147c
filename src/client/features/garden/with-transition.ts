import { startTransition } from 'react';
import type { Watched } from '#client/store/live-query.ts';

/** Delivers large updates in a React transition, so that input stays responsive while they render. */
export function withTransition<T>(
  source: Watched<T>,
  isLarge: (value: T, before: T | undefined) => boolean = () => true,
): Watched<T> {
  const subscribe: Watched<T>['subscribe'] = (next) => {
    let before: T | undefined;
    return source.subscribe((value) => {
      if (isLarge(value, before)) startTransition(() => next(value));
      else next(value);
      before = value;
    });
  };
  return { ...source, subscribe };
}
