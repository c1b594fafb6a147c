import type { App } from '#server/http/app-deps.ts';

export interface AppRoute {
  method: string;
  /** The declared path with its parameters, such as :id. */
  path: string;
}

/** Every route of the app, so that new ones are included automatically. */
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
