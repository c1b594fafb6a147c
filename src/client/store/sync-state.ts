/** How the last request to the server went; what the screens say about the network. */
export type Connectivity = 'unknown' | 'online' | 'offline' | 'unreachable';

/** The engine's own account of itself, one row; only sync writes it. */
export interface SyncStatus {
  id: 'status';
  connectivity: Connectivity;
  /** Device's clock, ms; null before the first complete pull. */
  pulledAt: number | null;
  /** Why the last pull was refused, in the catalogue's words; null when it was not. */
  pullError: string | null;
  /** How many ops of the present queue have been sent; 0 once it is empty. */
  sentCount: number;
}

export const initialStatus: SyncStatus = {
  id: 'status',
  connectivity: 'unknown',
  pulledAt: null,
  pullError: null,
  sentCount: 0,
};
