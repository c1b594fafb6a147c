import type { AppDeps } from '../deps.ts';
import type { App } from '../http/validation.ts';
import { servicePaths } from './service-operations.ts';

/** For balancers: 200 while the database answers, the error handler's 503 while it does not. */
export function healthzRoute(app: App, deps: AppDeps): void {
  app.get(servicePaths.health, async () => {
    await deps.db.pool.query('SELECT 1');
    return { status: 'ok' };
  });
}
