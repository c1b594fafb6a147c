import { createFileRoute } from '@tanstack/react-router';
import { AddPlantButton, PlantGrid, PlantStats } from '#client/features/garden/grid/plant-grid.tsx';
import { PlantsGate } from '#client/features/garden/plants-gate.tsx';
import { useGarden } from '#client/features/garden/use-garden.ts';
import { ZoneLine } from '#client/features/settings/zone/zone-offer.tsx';
import { PageTitle } from '#client/ui/layout/frame.tsx';
import { useNow } from '#client/ui/use-now.ts';

export const Route = createFileRoute('/dashboard/')({ component: Overview });

const texts = {
  loading: 'Loading dashboard data...',
  failed: 'Failed to load dashboard data',
  empty: 'No Plants Yet',
  emptyHint: 'No plants in your collection yet.',
};

function Overview() {
  const now = useNow();
  const garden = useGarden(now);
  return (
    <>
      <PageTitle title="Dashboard" subtitle="Monitor and manage your plants">
        <AddPlantButton label="Add New Plant" />
      </PageTitle>
      <ZoneLine />
      <PlantsGate
        garden={garden}
        texts={texts}
        emptyAction={<AddPlantButton label="Add Your First Plant" />}
      >
        {(known) => (
          <>
            <PlantStats stats={known.counts.stats} />
            <PlantGrid {...known} now={now} />
          </>
        )}
      </PlantsGate>
    </>
  );
}
