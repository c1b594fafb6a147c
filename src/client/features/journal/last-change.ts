import { useSyncExternalStore } from 'react';
import type { DeviceDb } from '#client/store/schema.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

/** The last change of a journal on this page. It can be undone until `until`. */
export interface LastChange {
  db: DeviceDb;
  /** What was done: 'Monty fertilized'. */
  text: string;
  /** Until when undo is offered (ms). */
  until: number;
  undo: () => Promise<unknown>;
}

/** How long undo is offered. */
export const offeredMs = 10_000;
const listeners = new Set<() => void>();
let last: LastChange | null = null;

/** Offers to undo a change that was just made, in place of the previous change, and announces it. */
export function offerUndo(change: Omit<LastChange, 'until'>): void {
  set({ ...change, until: Date.now() + offeredMs });
  announce(`${change.text}, with ten seconds to undo it`);
}

/** The last change, also after its `until`; null if it was cleared or was made in the database of another account. */
export function useLastChange(db: DeviceDb): LastChange | null {
  const change = useSyncExternalStore(subscribe, () => last);
  return change?.db === db ? change : null;
}

export function clearLastChange(): void {
  set(null);
}

function set(change: LastChange | null): void {
  last = change;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
