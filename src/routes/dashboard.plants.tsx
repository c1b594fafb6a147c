import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PlantGrid } from '#features/plants/plant-grid.tsx';
import { PlantsGate } from '#features/plants/plants-gate.tsx';
import { usePlants } from '#features/plants/use-plants.ts';
import { PageTitle } from '#ui/page-title.tsx';
import { useNow } from '#ui/use-now.ts';
import { AddPlant } from './-add-plant.tsx';
import { ManagedCard } from './-managed-card.tsx';
import { useOverScreen } from './-over-screen.ts';

export const Route = createFileRoute('/dashboard/plants')({ component: MyPlants });

const texts = {
  loading: 'Loading plants...',
  failed: 'Failed to load plants data',
  empty: 'No Plants Yet',
  emptyHint: 'No plants in your collection yet.',
};

function MyPlants() {
  const now = useNow();
  const plants = usePlants(now);
  const { open } = useOverScreen();
  const edit = useCallback((id: string) => open({ form: id }), [open]);
  const remove = useCallback((id: string) => open({ delete: id }), [open]);
  return (
    <>
      <PageTitle title="My Plants" subtitle="Manage your plant collection">
        <AddPlant label="Add New Plant" />
      </PageTitle>
      <PlantsGate
        plants={plants}
        texts={texts}
        emptyAction={<AddPlant label="Add My First Plant" />}
      >
        {(all) => (
          <PlantGrid
            plants={all}
            now={now}
            card={(shown) => <ManagedCard shown={shown} onEdit={edit} onDelete={remove} />}
          />
        )}
      </PlantsGate>
    </>
  );
}
