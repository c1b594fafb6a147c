import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { PlantDetail } from '#features/plants/plant-detail.tsx';
import { usePlant } from '#features/plants/use-plant.ts';
import { SensorTab } from '#features/readings/sensor-tab.tsx';
import { WaterNow } from '#features/watering/water-now.tsx';
import { WateringStatus } from '#features/watering/watering-status.tsx';
import { useNow } from '#ui/use-now.ts';
import type { DashboardSearch } from './-dashboard-search.ts';
import { plantLinkElement } from './-plant-link.tsx';

const dashboard = getRouteApi('/dashboard');

/** The dialog with the parts that other features lend it. */
export function PlantDialogContent({ id }: { id: string }) {
  const { tab = 'overview' } = dashboard.useSearch();
  const shown = usePlant(id, useNow());
  const { replace, close } = useAddress();
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

/** Within the dialog nothing is a step of its own, so that going back always leads out of it. */
function useAddress() {
  const navigate = useNavigate();
  const router = useRouter();
  const replace = (search: DashboardSearch) =>
    void navigate({ to: '.', search, replace: true, resetScroll: false, state: true });
  const close = () => {
    if (router.latestLocation.state.isOverScreen) router.history.back();
    else replace({});
  };
  return { replace, close };
}
