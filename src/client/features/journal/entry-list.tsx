import { memo, useEffect, useRef, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { useNow } from '#client/ui/use-now.ts';
import { dayTitle } from '#domain/journal/words.ts';
import type { TimeZone } from '#domain/zone.ts';
import type { Album } from '../photos/plant-photos.tsx';
import { EntryItem } from './entry-item.tsx';
import styles from './entry-list.module.css';

interface EntryListProps {
  album: Album;
  /** Newest first. */
  entries: readonly ShownEntry[];
  /** Called when an entry's form was closed or an entry was deleted, because the focused element has disappeared. */
  onClosed: () => void;
}

/** More entries than fit on a phone's screen. */
const firstLimit = 20;
const step = 60;

/**
 * Entries by day. Renders more of a long list when it is scrolled near its end, so that it opens as fast as a short
 * one.
 */
export const EntryList = memo(function EntryList({ album, entries, onClosed }: EntryListProps) {
  const zone = useZone();
  const now = useNow();
  const [limit, setLimit] = useState(firstLimit);
  const end = useRef<HTMLDivElement>(null);
  const isComplete = entries.length <= limit;
  // Observes again after each step, because an observer does not report an end that stays in view.
  useEffect(() => {
    if (isComplete || !end.current) return;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setLimit(limit + step);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isComplete, limit]);
  return (
    <div className={styles.days}>
      {byDay(entries.slice(0, limit), now, zone).map(({ title, ofDay }) => (
        <section key={title} className={styles.day} aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {ofDay.map((entry) => (
              <EntryItem key={entry.id} album={album} entry={entry} onClosed={onClosed} />
            ))}
          </ul>
        </section>
      ))}
      {!isComplete && <div ref={end} aria-hidden className={styles.end} />}
    </div>
  );
});

interface Day {
  title: string;
  ofDay: ShownEntry[];
}

function byDay(entries: readonly ShownEntry[], now: number, zone: TimeZone): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const title = dayTitle(entry.at, now, zone);
    const last = days.at(-1);
    if (last?.title === title) last.ofDay.push(entry);
    else days.push({ title, ofDay: [entry] });
  }
  return days;
}
