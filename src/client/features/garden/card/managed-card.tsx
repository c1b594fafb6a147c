import { memo } from 'react';
import type { ShownPlant } from '../grid/shown-plant.ts';
import { GardenCard } from './garden-card.tsx';
import { PlantMenu } from './plant-menu.tsx';

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
