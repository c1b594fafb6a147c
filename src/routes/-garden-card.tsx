import { memo, type ReactNode } from 'react';
import { PlantCard } from '#features/plants/plant-card.tsx';
import type { ShownPlant } from '#features/plants/shown-plant.ts';
import { LatestLine } from '#features/readings/latest-line.tsx';
import { WaterNow } from '#features/watering/water-now.tsx';
import { WateringStatus } from '#features/watering/watering-status.tsx';
import { PlantLink } from './-plant-link.tsx';

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
