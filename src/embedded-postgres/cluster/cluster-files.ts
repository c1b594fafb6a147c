import { join } from 'node:path';

/** `folder` appears by one rename with password and data inside, so all of it is one cluster's. */
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
