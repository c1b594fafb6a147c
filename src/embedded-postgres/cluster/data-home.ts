import type { Account } from './account.ts';

/** The folder that holds the cluster and whom PostgreSQL runs as there. */
export interface DataHome {
  folder: string;
  account: Account | undefined;
  notes: string[];
}
