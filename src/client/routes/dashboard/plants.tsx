import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useOverlay } from '#client/features/dashboard/use-overlay.ts';
import type { PlantActions } from '#client/features/garden/card/plant-card.tsx';
import { AddPlantButton, PlantGrid } from '#client/features/garden/grid/plant-grid.tsx';
import { PlantsGate } from '#client/features/garden/plants-gate.tsx';
import { useGarden } from '#client/features/garden/use-garden.ts';
import { addAndOffer } from '#client/features/journal/change-entries.ts';
import { useDb } from '#client/session/current.tsx';
import { PageTitle } from '#client/ui/layout/frame.tsx';
import { useNow } from '#client/ui/use-now.ts';

export const Route = createFileRoute('/dashboard/plants')({ component: MyPlants });

const texts = {
  loading: 'Loading plants...',
  failed: 'Failed to load plants data',
  empty: 'No Plants Yet',
  emptyHint: 'No plants in your collection yet.',
};

function MyPlants() {
  const now = useNow();
  const garden = useGarden(now);
  const db = useDb();
  const { open } = useOverlay();
  const actions = useMemo<PlantActions>(
    () => ({
      onFertilized: (plant) => {
        const fertilized = {
          type: 'fertilized',
          at: Date.now(),
          note: null,
          amount_ml: null,
        } as const;
        addAndOffer(db, plant, fertilized).catch((error: unknown) => console.warn(error));
      },
      onAddEntry: (id) => open({ plant: id, tab: 'history', entry: 'new' }),
      onRemind: (id) => open({ reminders: id }),
      onEdit: (id) => open({ form: id }),
      onDelete: (id) => open({ delete: id }),
    }),
    [db, open],
  );
  return (
    <>
      <PageTitle title="My Plants" subtitle="Manage your plant collection">
        <AddPlantButton label="Add New Plant" />
      </PageTitle>
      <PlantsGate
        garden={garden}
        texts={texts}
        emptyAction={<AddPlantButton label="Add My First Plant" />}
      >
        {(known) => <PlantGrid {...known} now={now} actions={actions} />}
      </PlantsGate>
    </>
  );
}
