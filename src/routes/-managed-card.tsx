import { memo } from 'react';
import { PlantMenu } from '#features/plants/plant-menu.tsx';
import type { ShownPlant } from '#features/plants/shown-plant.ts';
import { GardenCard } from './-garden-card.tsx';

/** A garden card with its menu; apart from it, so that screens without menus do not load any. */
export const ManagedCard = memo(function ManagedCard({
  shown,
  onEdit,
  onDelete,
}: {
  shown: ShownPlant;
  onEdit: (id: string) => void;
  onDelete: (id: string) => void;
}) {
  const menu = <PlantMenu plant={shown.plant} onEdit={onEdit} onDelete={onDelete} />;
  return <GardenCard shown={shown} menu={menu} />;
});
