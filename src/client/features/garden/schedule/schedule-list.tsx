import { GrowingList } from '#client/ui/layout/growing-list.tsx';
import type { PlantView } from '../plant-view.ts';
import { ScheduleItem } from './schedule-item.tsx';
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
