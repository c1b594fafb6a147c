import type { App } from '#server/http/app-deps.ts';

export interface Route {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
}

/** Every route of the server. */
export function routesOf(app: App): Route[] {
  const found: Route[] = [];
  const parents: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] =
      /^([\s│├└─]*)(\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (part === '') continue;
    const depth = indent.length / 4;
    parents.splice(depth - 1, parents.length, part);
    for (const method of methods.split(', ').filter(Boolean)) {
      found.push({ method: method as Route['method'], url: parents.join('') });
    }
  }
  return found;
}
