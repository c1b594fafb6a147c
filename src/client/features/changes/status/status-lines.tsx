import { useObservable } from 'dexie-react-hooks';
import { useState, useSyncExternalStore } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import { snapshotAtStart } from '#client/session/garden-snapshot.ts';
import { watchClockOffset } from '#client/store/meta.ts';
import { useNow } from '#client/ui/use-now.ts';
import { formatMoment, isSameDay } from '#domain/dates.ts';
import { plural } from '#domain/text.ts';
import { hourMs } from '#domain/time.ts';
import type { TimeZone } from '#domain/zone.ts';
import styles from './status-lines.module.css';
import { useSyncSummary } from './sync-indicator.tsx';

/**
 * While the server cannot be reached, says so and when the data was last updated. Without a network, the first frame
 * already shows this, with the time from the garden snapshot. Belongs at the end of the screen; it sticks to the bottom
 * of the window, so that no content moves under the finger when it appears.
 */
export function LastUpdatedLine() {
  const db = useDb();
  const [atStart] = useState(() => snapshotAtStart(db.name));
  const zone = useZone();
  const summary = useSyncSummary();
  const isOffline = useIsOffline();
  const now = useNow();
  const connectivity = isOffline ? 'offline' : (summary?.connectivity ?? 'unknown');
  if (connectivity === 'online' || connectivity === 'unknown') return null;
  const { pulledAt = null } = summary ?? atStart ?? {};
  const state = connectivity === 'offline' ? 'Offline' : 'Server not reachable';
  const text =
    pulledAt === null ? state : `${state}. Last updated ${updatedText(pulledAt, now, zone)}`;
  return (
    <p className={`${styles.line} ${styles.lastUpdated}`} role="status">
      {text}
    </p>
  );
}

/** `pulledAt` (ms) in words: without the date if it was today, because a phone shows one short line. */
export function updatedText(pulledAt: number, now: number, zone: TimeZone): string {
  return formatMoment(pulledAt, isSameDay(pulledAt, now, zone) ? 'time' : 'dateTime', zone);
}

/** Whether the device has no network at all. False does not mean that a server can be reached. */
function useIsOffline(): boolean {
  return useSyncExternalStore(subscribe, isOffline, () => false);
}

function isOffline(): boolean {
  return !navigator.onLine;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const noticeableMs = 30 * 60_000;

/** Warns when this device's clock, which decides which plants look due, is wrong by half an hour or more. */
export function ClockLine() {
  const db = useDb();
  const offsetMs = useObservable(() => watchClockOffset(db), [db]) ?? 0;
  if (Math.abs(offsetMs) < noticeableMs) return null;
  return (
    <p className={styles.line} role="status">
      {clockText(offsetMs)}
    </p>
  );
}

/** The warning about a wrong clock, given how far the server's clock is ahead of it (ms, half an hour or more). */
export function clockText(offsetMs: number): string {
  const hours = Math.round(Math.abs(offsetMs) / hourMs);
  const length = hours < 23 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day');
  const [where, due] = offsetMs < 0 ? ['ahead', 'too early'] : ['behind', 'too late'];
  return `This device’s clock is ${length} ${where}, so plants look due ${due}. What you do is saved with the right time.`;
}

/** Over plain http, says which features the browser reserves for https. */
export function InsecureLine() {
  if (window.isSecureContext) return null;
  return (
    <p className={styles.insecure}>
      Opened without https: installing Sprig and starting it offline need an https address.
    </p>
  );
}
