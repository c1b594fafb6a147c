import { startTransition } from 'react';
import type { LiveStore } from '#client/store/live-store.ts';

/** Delivers large updates in a React transition, so that input stays responsive while they render. */
export function withTransition<T>(
  source: LiveStore<T>,
  isLarge: (value: T, before: T | undefined) => boolean = () => true,
): LiveStore<T> {
  const subscribe: LiveStore<T>['subscribe'] = (next) => {
    let before: T | undefined;
    return source.subscribe((value) => {
      if (isLarge(value, before)) startTransition(() => next(value));
      else next(value);
      before = value;
    });
  };
  return { ...source, subscribe };
}
