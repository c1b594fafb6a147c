import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A component whose chunk is loaded when it is first rendered. It must be inside a Suspense boundary. The router's
 * lazyRouteComponent is no replacement: it is meant for components that are loaded before they are rendered, and React
 * warns if its component suspends.
 */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }));
}
