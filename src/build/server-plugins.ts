import fs from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Serves the API from the development server's own process. */
export function devApi(): Plugin {
  return {
    name: 'sprig-dev-api',
    apply: 'serve',
    async configureServer(server) {
      if (process.env.VITEST) return;
      const { openDevApi } = await server.ssrLoadModule('/src/server/start/dev-api.ts');
      const api: Awaited<ReturnType<typeof import('../server/start/dev-api.ts').openDevApi>> =
        await openDevApi(() => server.resolvedUrls?.local[0]);
      server.httpServer?.once('close', () => void api.close());
      server.middlewares.use((request, response, next) => {
        if (/^\/(api|auth|healthz)\b/.test(request.url ?? '')) api.handle(request, response);
        else next();
      });
    },
  };
}

/** Copies the SQL migrations beside each bundle that contains the migrator, which reads them from there. */
export function copyMigrations(): Plugin {
  const folder = 'src/server/database/migrations';
  return {
    name: 'sprig-migrations',
    writeBundle({ dir = 'dist/server' }, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : [],
      );
      if (!modules.some((id) => id.endsWith('/src/server/database/migrate.ts'))) return;
      fs.cpSync(folder, path.join(dir, 'migrations'), { recursive: true });
    },
  };
}
