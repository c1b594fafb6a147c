import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { useZone } from '#client/session/current.tsx';
import { GrowingList } from '#client/ui/layout/growing-list.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { formatMoment } from '#domain/dates.ts';
import { everyDays, remainingText, wateringProgress } from '#domain/watering/schedule.ts';
import { Snooze } from '../../journal/snooze.tsx';
import { PlantLink } from '../card/plant-link.tsx';
import { PlantPicture } from '../card/plant-picture.tsx';
import { ChangeStatus } from '../card/plant-status.tsx';
import type { PlantView } from '../plant-view.ts';
import { WaterNow } from '../water/water-now.tsx';
import styles from './schedule-list.module.css';

/** All plants by their next watering. */
export function ScheduleList({ plants }: { plants: readonly PlantView[] }) {
  return (
    <GrowingList
      items={[...plants].sort(byNextWatering)}
      keyOf={({ plant }) => plant.id}
      className={styles.list}
    >
      {(view) => <ScheduleItem view={view} />}
    </GrowingList>
  );
}

/** Soonest first; a plant without a date comes last. */
function byNextWatering(a: PlantView, b: PlantView): number {
  const moment = ({ plant }: PlantView) =>
    Date.parse(plant.tracking.nextWateringDate ?? '9999-12-31');
  return moment(a) - moment(b);
}

/** One plant of the schedule: when it is due, how much time is left, and how much of the interval has passed. */
const ScheduleItem = memo(function ScheduleItem({ view }: { view: PlantView }) {
  const { plant } = view;
  const zone = useZone();
  const now = useNow();
  const next = plant.tracking.nextWateringDate;
  const remaining = next === null ? '' : remainingText(next, now);
  // The first interval of a plant that was never watered begins when it was added.
  const since = plant.iotIntegration.lastWatered ?? plant.dateAdded;
  const progress = wateringProgress(since, next, now);
  return (
    <article className={styles.item} data-overdue={remaining === 'Overdue' || undefined}>
      <PlantPicture plant={plant} />
      <div className={styles.names}>
        <h2>
          <PlantLink id={plant.id}>
            <bdi>{plant.nickname}</bdi>
          </PlantLink>
        </h2>
        <p>
          <bdi>{plant.actualName}</bdi>
        </p>
      </div>
      <div className={styles.when}>
        {next !== null && <p>{`Next: ${formatMoment(Date.parse(next), 'dateTime', zone)}`}</p>}
        <p className={styles.remaining}>
          {remaining === 'Overdue' && <TriangleAlert aria-hidden size={14} />}
          <span>{remaining}</span>
        </p>
        <p>
          <ChangeStatus view={view} />
        </p>
      </div>
      <div className={styles.action}>
        <WaterNow view={view} />
        <Snooze plant={plant} />
      </div>
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
});
