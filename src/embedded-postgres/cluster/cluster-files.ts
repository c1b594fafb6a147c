import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SystemUser } from './system-user.ts';

/** The folder that contains the cluster, and PostgreSQL's user (undefined: that of this process). */
export interface DataHome {
  folder: string;
  user: SystemUser | undefined;
  /** Lines for the console. */
  notes: string[];
}

/** The files of a cluster. One rename creates `folder` with password and data inside, so the two always match. */
export interface ClusterFiles {
  folder: string;
  data: string;
  password: string;
  log: string;
}

export function clusterFiles(home: string): ClusterFiles {
  return filesIn(join(home, 'postgres'));
}

export function filesIn(folder: string): ClusterFiles {
  return {
    folder,
    data: join(folder, 'cluster'),
    password: join(folder, 'password'),
    log: join(folder, 'server.log'),
  };
}

/** A short folder name that is unique for the given path. */
export function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}
