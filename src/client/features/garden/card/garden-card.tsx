import { memo, type ReactNode } from 'react';
import type { ShownPlant } from '../grid/shown-plant.ts';
import { WaterNow } from '../water/water-now.tsx';
import { LatestLine } from './latest-line.tsx';
import { PlantCard } from './plant-card.tsx';
import { PlantLink } from './plant-link.tsx';
import { WateringStatus } from './watering-status.tsx';

/** A card with the parts that other features lend it; repaints only when its own plant does. */
export const GardenCard = memo(function GardenCard({
  shown,
  menu,
}: {
  shown: ShownPlant;
  menu?: ReactNode;
}) {
  const { plant, watering } = shown;
  return (
    <PlantCard
      shown={shown}
      link={<PlantLink id={plant.id} label={`Details of ${plant.nickname}`} />}
      menu={menu}
      status={<WateringStatus nextWatering={plant.tracking.nextWateringDate} />}
      readings={<LatestLine plantKey={plant.id} />}
      action={<WaterNow plantKey={plant.id} nickname={plant.nickname} watering={watering} />}
    />
  );
});
