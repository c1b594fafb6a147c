import { createFileRoute } from '@tanstack/react-router';
import { PlantGrid } from '#features/plants/plant-grid.tsx';
import { PlantStats } from '#features/plants/plant-stats.tsx';
import { PlantsGate } from '#features/plants/plants-gate.tsx';
import { usePlants } from '#features/plants/use-plants.ts';
import { PageTitle } from '#ui/page-title.tsx';
import { useNow } from '#ui/use-now.ts';
import { AddPlant } from './-add-plant.tsx';
import { GardenCard } from './-garden-card.tsx';

export const Route = createFileRoute('/dashboard/')({ component: Overview });

const texts = {
  loading: 'Loading dashboard data...',
  failed: 'Failed to load dashboard data',
  empty: 'No Plants Yet',
  emptyHint: 'No plants in your collection yet.',
};

function Overview() {
  const now = useNow();
  const plants = usePlants(now);
  return (
    <>
      <PageTitle title="Dashboard" subtitle="Monitor and manage your plants">
        <AddPlant label="Add New Plant" />
      </PageTitle>
      <PlantsGate
        plants={plants}
        texts={texts}
        emptyAction={<AddPlant label="Add Your First Plant" />}
      >
        {(all) => (
          <>
            <PlantStats plants={all} now={now} />
            <PlantGrid plants={all} now={now} card={(shown) => <GardenCard shown={shown} />} />
          </>
        )}
      </PlantsGate>
    </>
  );
}
