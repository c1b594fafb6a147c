import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../../src/build/build-if-needed.mjs';

/** A copy of the built app that a test can change while it is served. */
export interface Deployment {
  /** The file that starts its server. */
  mainFile: string;
  clientDir: string;
  /** Replaces the current build by another one, as a deployment does: old files are deleted. */
  deploy: (build: string) => void;
  remove: () => void;
}

/** The built client. */
export const builtClient = path.join(projectRoot, 'dist/client');

/** The copy is inside the project folder, where the server finds its packages. */
export function copyBuiltApp(): Deployment {
  const home = fs.mkdtempSync(path.join(projectRoot, 'dist', 'deployment-'));
  const clientDir = path.join(home, 'client');
  fs.cpSync(builtClient, clientDir, { recursive: true });
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

/** Builds the client for an API at `apiUrl`, so that its version differs from that of the default build. */
export async function buildClient(outDir: string, apiUrl: string): Promise<void> {
  const vite = path.join(projectRoot, 'node_modules/vite/bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', outDir], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production', VITE_API_URL: apiUrl },
  });
}
