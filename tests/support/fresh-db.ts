import { onTestFinished } from 'vitest';
import { openDeviceDb } from '#client/store/database.ts';
import { newOpId } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';

/** An empty device database of the running test's own, deleted with its end. */
export function freshDb(): DeviceDb {
  const db = openDeviceDb(`test-${newOpId()}`);
  onTestFinished(() => db.delete());
  return db;
}

interface Listenable<T> {
  subscribe: (next: (value: T) => void) => { unsubscribe: () => void };
}

/** What a live query says from now on, to the running test's end. */
export function listenTo<T>(watched: Listenable<T>): T[] {
  const heard: T[] = [];
  const subscription = watched.subscribe((value) => void heard.push(value));
  onTestFinished(() => subscription.unsubscribe());
  return heard;
}
