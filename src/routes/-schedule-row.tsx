import { memo } from 'react';
import { pictureUrl } from '#features/plants/plant-pictures.ts';
import { SaveMarks } from '#features/plants/save-marks.tsx';
import type { ShownPlant } from '#features/plants/shown-plant.ts';
import { ScheduleItem } from '#features/watering/schedule-item.tsx';
import { WaterNow } from '#features/watering/water-now.tsx';
import { PlantLink } from './-plant-link.tsx';

/** A plant of the schedule with the parts that other features lend it; repaints only when its own plant or time does. */
export const ScheduleRow = memo(function ScheduleRow({ shown }: { shown: ShownPlant }) {
  const { plant, watering } = shown;
  return (
    <ScheduleItem
      plant={plant}
      image={pictureUrl(plant.image)}
      marks={<SaveMarks shown={shown} />}
      name={
        <PlantLink id={plant.id}>
          <bdi>{plant.nickname}</bdi>
        </PlantLink>
      }
      action={<WaterNow plantKey={plant.id} nickname={plant.nickname} watering={watering} />}
    />
  );
});
