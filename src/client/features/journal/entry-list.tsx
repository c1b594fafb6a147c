import { memo, startTransition, useEffect, useRef, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { useNow } from '#client/ui/use-now.ts';
import { dayTitle } from '#domain/journal/words.ts';
import { dayIn, type TimeZone } from '#domain/zone.ts';
import type { Album } from '../photos/plant-photos.tsx';
import { EntryItem, PhotoItem } from './entry-item.tsx';
import styles from './entry-list.module.css';
import type { EditedEntries, HistoryItem } from './history-items.ts';

interface EntryListProps {
  album: Album;
  /** Newest first. */
  items: readonly HistoryItem[];
  editing: EditedEntries;
  /** The plant has been deleted, so nothing can be changed. */
  isReadOnly: boolean;
  onEdit: (entry: ShownEntry, isEditing: boolean) => void;
  /**
   * Called when an entry's form closes or an entry is deleted: the focused element disappears, so focus must move. Like
   * `onEdit`, it must be the same function in every render, or all entries are rendered again.
   */
  onClosed: () => void;
}

/** As many entries as fit on a phone's screen. */
const firstLimit = 10;
const step = 20;

/**
 * Entries and photos by day. The first frame renders at most `firstLimit` of them, so that a long list opens as fast as
 * a short one. More follow while the end of the rendered ones is near the visible part.
 */
export const EntryList = memo(function EntryList({
  album,
  items,
  editing,
  isReadOnly,
  onEdit,
  onClosed,
}: EntryListProps) {
  const zone = useZone();
  // The zone of the days. It does not change while a form is open: the entry might move to another day, which would
  // clear the form.
  const [daysZone, setDaysZone] = useState(zone);
  if (zone !== daysZone && editing.size === 0) setDaysZone(zone);
  const now = useNow();
  const [scrolledLimit, setLimit] = useState(firstLimit);
  // Includes every entry with an open form: its input must not be lost when newer entries move it past the limit.
  const limit = Math.max(scrolledLimit, items.findLastIndex(({ id }) => editing.has(id)) + 1);
  const end = useRef<HTMLDivElement>(null);
  const isComplete = items.length <= limit;
  // Observes again after each step, because an observer reports nothing while the element stays in view.
  useEffect(() => {
    if (isComplete || !end.current) return;
    const observer = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      // A tap interrupts it.
      startTransition(() => setLimit(limit + step));
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isComplete, limit]);
  return (
    <div className={styles.days}>
      {byDay(items.slice(0, limit), now, daysZone).map(({ day, title, ofDay }) => (
        <section key={day} className={styles.day} aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {ofDay.map((item) =>
              item.type === 'photos' ? (
                <PhotoItem key={item.id} album={album} at={item.at} photos={item.photos} />
              ) : (
                <EntryItem
                  key={item.id}
                  album={album}
                  entry={item.entry}
                  isEditing={editing.has(item.id)}
                  isGone={item.isGone}
                  isReadOnly={isReadOnly}
                  onEdit={onEdit}
                  onClosed={onClosed}
                />
              ),
            )}
          </ul>
        </section>
      ))}
      {!isComplete && <div ref={end} aria-hidden className={styles.end} />}
    </div>
  );
});

interface Day {
  /** Unlike the title, it stays the same after midnight. So the forms of the day keep their input. */
  day: number;
  title: string;
  ofDay: HistoryItem[];
}

function byDay(items: readonly HistoryItem[], now: number, zone: TimeZone): Day[] {
  const days: Day[] = [];
  for (const item of items) {
    const day = dayIn(zone, item.at);
    const last = days.at(-1);
    if (last?.day === day) last.ofDay.push(item);
    else days.push({ day, title: dayTitle(item.at, now, zone), ofDay: [item] });
  }
  return days;
}
