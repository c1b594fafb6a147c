import { createFileRoute } from '@tanstack/react-router';
import { PlantsGate } from '#client/features/garden/grid/plants-gate.tsx';
import type { ShownPlant } from '#client/features/garden/grid/shown-plant.ts';
import { usePlants } from '#client/features/garden/grid/use-plants.ts';
import { ScheduleRow } from '#client/features/garden/schedule/schedule-row.tsx';
import { GrowingList } from '#client/ui/layout/growing-list.tsx';
import { PageTitle } from '#client/ui/layout/page-title.tsx';
import { useNow } from '#client/ui/use-now.ts';
import styles from './-schedule.module.css';

export const Route = createFileRoute('/dashboard/schedule')({ component: Schedule });

const texts = {
  loading: 'Loading plants...',
  failed: 'Failed to load watering schedule',
  empty: 'No Plants to Schedule',
  emptyHint: 'Plants of your collection appear here by their next watering.',
};

function Schedule() {
  const plants = usePlants(useNow());
  return (
    <>
      <PageTitle title="Watering Schedule" subtitle="Keep track of your plants' watering needs" />
      <PlantsGate plants={plants} texts={texts}>
        {(all) => (
          <GrowingList
            items={[...all].sort(byNextWatering)}
            keyOf={({ plant }) => plant.id}
            className={styles.list}
          >
            {(shown) => <ScheduleRow shown={shown} />}
          </GrowingList>
        )}
      </PlantsGate>
    </>
  );
}

/** Soonest first; a plant without a date comes last. */
function byNextWatering(a: ShownPlant, b: ShownPlant): number {
  const moment = ({ plant }: ShownPlant) =>
    Date.parse(plant.tracking.nextWateringDate ?? '9999-12-31');
  return moment(a) - moment(b);
}
