import { createFileRoute } from '@tanstack/react-router';
import { PlantsGate } from '#client/features/garden/plants-gate.tsx';
import { ScheduleList } from '#client/features/garden/schedule/schedule-list.tsx';
import { useGarden } from '#client/features/garden/use-garden.ts';
import { WaterAll } from '#client/features/garden/water/water-all.tsx';
import { PageTitle } from '#client/ui/layout/frame.tsx';
import { useNow } from '#client/ui/use-now.ts';

export const Route = createFileRoute('/dashboard/schedule')({ component: Schedule });

const texts = {
  loading: 'Loading plants...',
  failed: 'Failed to load watering schedule',
  empty: 'No Plants to Schedule',
  emptyHint: 'Plants of your collection appear here by their next watering.',
};

function Schedule() {
  const garden = useGarden(useNow());
  return (
    <>
      <PageTitle title="Watering Schedule" subtitle="Keep track of your plants' watering needs">
        {garden?.isComplete && <WaterAll plants={garden.plants} />}
      </PageTitle>
      <PlantsGate garden={garden?.isComplete ? garden : undefined} texts={texts}>
        {({ plants }) => <ScheduleList plants={plants} />}
      </PlantsGate>
    </>
  );
}
