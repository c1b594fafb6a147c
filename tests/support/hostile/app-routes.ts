import type { App } from '#server/http/fastify-app.ts';

export interface AppRoute {
  method: string;
  /** As it was declared, with :id and the like. */
  path: string;
}

/** Every route as the app itself lists them, so that a new one is attacked without being named here. */
export function routesOf(app: App): AppRoute[] {
  const routes: AppRoute[] = [];
  const parents: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (\S*) \((.*)\)/.exec(line) ?? [];
    if (part === '') continue;
    const depth = indent.length / 4;
    parents.splice(depth, parents.length, part);
    const path = parents.join('');
    routes.push(...methods.split(', ').map((method) => ({ method, path })));
  }
  return routes;
}
