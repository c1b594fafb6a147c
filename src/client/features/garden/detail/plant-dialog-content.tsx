import { useSearch } from '@tanstack/react-router';
import { useNow } from '#client/ui/use-now.ts';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { plantLinkElement } from '../card/plant-link.tsx';
import { WateringStatus } from '../card/watering-status.tsx';
import { usePlant } from '../grid/use-plant.ts';
import { SensorTab } from '../sensors/sensor-tab.tsx';
import { WaterNow } from '../water/water-now.tsx';
import { PlantDetail } from './plant-detail.tsx';

/** The dialog with the parts that other features lend it. */
export function PlantDialogContent({ id }: { id: string }) {
  const { tab = 'overview' } = useSearch({ from: '/dashboard' });
  const shown = usePlant(id, useNow());
  const { replace, close } = useOverlay();
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
