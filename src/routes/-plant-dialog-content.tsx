import { useSearch } from '@tanstack/react-router';
import { PlantDetail } from '#features/plants/plant-detail.tsx';
import { usePlant } from '#features/plants/use-plant.ts';
import { SensorTab } from '#features/readings/sensor-tab.tsx';
import { WaterNow } from '#features/watering/water-now.tsx';
import { WateringStatus } from '#features/watering/watering-status.tsx';
import { useNow } from '#ui/use-now.ts';
import { useOverScreen } from './-over-screen.ts';
import { plantLinkElement } from './-plant-link.tsx';

/** The dialog with the parts that other features lend it. */
export function PlantDialogContent({ id }: { id: string }) {
  const { tab = 'overview' } = useSearch({ from: '/dashboard' });
  const shown = usePlant(id, useNow());
  const { replace, close } = useOverScreen();
  return (
    <PlantDetail
      shown={shown}
      tab={tab}
      onTab={(name) => replace({ plant: id, tab: name })}
      onClose={close}
      returnFocusTo={() => plantLinkElement(id)}
      onEdit={() => replace({ form: id })}
      onDelete={() => replace({ delete: id })}
      status={<WateringStatus nextWatering={shown?.plant.tracking.nextWateringDate ?? null} />}
      waterNow={
        shown && (
          <WaterNow
            plantKey={shown.plant.id}
            nickname={shown.plant.nickname}
            watering={shown.watering}
          />
        )
      }
      sensors={shown && <SensorTab plantKey={shown.plant.id} thresholds={shown.plant.thresholds} />}
    />
  );
}
