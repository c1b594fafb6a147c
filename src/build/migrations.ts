import fs from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

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
