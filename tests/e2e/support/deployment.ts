import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';

/** A copy of the built app that its owner may change while it is served. */
export interface Deployment {
  /** What starts its server. */
  mainFile: string;
  clientDir: string;
  /** Puts a later build in the place of the present one, as a deployment does: old files are gone. */
  deploy: (build: string) => void;
  remove: () => void;
}

/** Inside of the project, where the server finds its packages. */
export function copyBuiltApp(): Deployment {
  const home = fs.mkdtempSync(path.join(projectRoot, 'dist', 'deployment-'));
  const clientDir = path.join(home, 'client');
  fs.cpSync(path.join(projectRoot, 'dist/client'), clientDir, { recursive: true });
  fs.cpSync(path.join(projectRoot, 'dist/server'), path.join(home, 'server'), { recursive: true });
  return {
    mainFile: path.join(home, 'server/main.js'),
    clientDir,
    deploy: (build) => {
      fs.rmSync(clientDir, { recursive: true });
      fs.cpSync(build, clientDir, { recursive: true });
    },
    remove: () => fs.rmSync(home, { recursive: true }),
  };
}

/** Builds the client for an API at `apiUrl`: by that alone another version than the one built without. */
export async function buildClient(outDir: string, apiUrl: string): Promise<void> {
  const vite = path.join(projectRoot, 'node_modules/vite/bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', outDir], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production', VITE_API_URL: apiUrl },
  });
}
