import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A component whose chunk is loaded when it is first rendered, inside of a Suspense. The router's own function for this
 * is meant for components that are loaded before they are rendered: React warns if such a component suspends.
 */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }));
}
