import { memo } from 'react';
import { PlantLink } from '../card/plant-link.tsx';
import { pictureUrl } from '../card/plant-pictures.ts';
import { SaveMarks } from '../card/save-marks.tsx';
import type { ShownPlant } from '../grid/shown-plant.ts';
import { WaterNow } from '../water/water-now.tsx';
import { ScheduleItem } from './schedule-item.tsx';

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
