import { onTestFinished } from 'vitest';
import { openDeviceDb } from '#client/store/database.ts';
import { newOpId } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';

/** An empty device database for the running test, deleted when it ends. */
export function freshDb(): DeviceDb {
  const db = openDeviceDb(`test-${newOpId()}`);
  onTestFinished(() => db.delete());
  return db;
}

interface Listenable<T> {
  subscribe: (next: (value: T) => void) => { unsubscribe: () => void };
}

/** Collects the values of a live query until the running test ends. */
export function listenTo<T>(watched: Listenable<T>): T[] {
  const values: T[] = [];
  const subscription = watched.subscribe((value) => void values.push(value));
  onTestFinished(() => subscription.unsubscribe());
  return values;
}
