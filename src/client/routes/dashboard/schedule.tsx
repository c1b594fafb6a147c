import { createFileRoute } from '@tanstack/react-router';
import { PlantsGate } from '#client/features/garden/plants-gate.tsx';
import { ScheduleList } from '#client/features/garden/schedule/schedule-list.tsx';
import { usePlants } from '#client/features/garden/use-plants.ts';
import { PageTitle } from '#client/ui/layout/page-title.tsx';
import { useNow } from '#client/ui/use-now.ts';

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
        {(all) => <ScheduleList plants={all} />}
      </PlantsGate>
    </>
  );
}
