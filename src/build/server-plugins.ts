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
        if (/^\/(api|auth|healthz|calendar)\b/.test(request.url ?? ''))
          api.handle(request, response);
        else next();
      });
    },
  };
}

/** Modules that read files at run time, and the folders with these files. Each folder must be beside its module. */
const filesOfModules = [
  { module: '/src/server/database/migrate.ts', folder: 'src/server/database/migrations' },
  { module: '/src/server/demo/insert-journal.ts', folder: 'src/server/demo/photos' },
];

/** Copies the SQL migrations and the demo's photos beside each bundle that contains the module that reads them. */
export function copyFilesOfModules(): Plugin {
  return {
    name: 'sprig-files-of-modules',
    writeBundle({ dir = 'dist/server' }, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : [],
      );
      for (const { module, folder } of filesOfModules) {
        if (!modules.some((id) => id.endsWith(module))) continue;
        fs.cpSync(folder, path.join(dir, path.basename(folder)), { recursive: true });
      }
    },
  };
}
