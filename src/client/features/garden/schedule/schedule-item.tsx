import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNow } from '#client/ui/use-now.ts';
import { formatMoment } from '#domain/dates.ts';
import type { Plant } from '#domain/plant/plant.ts';
import { everyDays } from '#domain/watering/every-days.ts';
import { remainingText, wateringProgress } from '#domain/watering/schedule.ts';
import styles from './schedule-item.module.css';

/** One plant of the schedule: when it is due, how long that is, how far the interval has gone. */
export function ScheduleItem({
  plant,
  image,
  marks,
  name,
  action,
}: {
  plant: Plant;
  image: string;
  /** How what was done to the plant stands. */
  marks: ReactNode;
  /** The nickname; what leads to the plant belongs to the address. */
  name: ReactNode;
  action: ReactNode;
}) {
  const now = useNow();
  const next = plant.tracking.nextWateringDate;
  const remaining = next === null ? '' : remainingText(next, now);
  // A plant that was never watered is due its interval after it came.
  const since = plant.iotIntegration.lastWatered ?? plant.dateAdded;
  const progress = wateringProgress(since, next, now);
  return (
    <article className={styles.item} data-overdue={remaining === 'Overdue' || undefined}>
      <img src={image} alt="" width="1260" height="750" loading="lazy" />
      <div className={styles.names}>
        <h2>{name}</h2>
        <p>
          <bdi>{plant.actualName}</bdi>
        </p>
      </div>
      <div className={styles.when}>
        {next !== null && <p>Next: {formatMoment(Date.parse(next), 'dateTime')}</p>}
        <p className={styles.remaining}>
          {remaining === 'Overdue' && <TriangleAlert aria-hidden size={14} />}
          {remaining}
        </p>
        <p>{marks}</p>
      </div>
      <div className={styles.action}>{action}</div>
      <div className={styles.interval}>
        <progress
          max={100}
          value={progress}
          aria-label={`Watering interval of ${plant.nickname} elapsed`}
        />
        <span>{everyDays(plant.wateringFrequency)}</span>
      </div>
    </article>
  );
}
