import type { ReactNode } from 'react';
import { useDb } from '#client/session/current.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { Tabs } from '#client/ui/layout/tabs.tsx';
import { Sheet } from '#client/ui/overlay/sheet.tsx';
import type { PlantTab } from '../../dashboard/dashboard-search.ts';
import { pictureUrl } from '../card/plant-pictures.ts';
import { loadAgain } from '../grid/load-again.ts';
import { useFirstLoad } from '../grid/use-first-load.ts';
import type { DetailedPlant } from '../grid/use-plant.ts';
import { PlantCareSettings } from './plant-care-settings.tsx';
import styles from './plant-detail.module.css';
import { PlantOverview } from './plant-overview.tsx';

interface PlantDetailProps {
  /** Null when there is no such plant, undefined while that is not known. */
  shown: DetailedPlant | null | undefined;
  tab: PlantTab;
  onTab: (tab: PlantTab) => void;
  onClose: () => void;
  returnFocusTo: () => HTMLElement | null;
  onEdit?: () => void;
  onDelete?: () => void;
  /** Parts that belong to watering and to the sensors. */
  status: ReactNode;
  waterNow: ReactNode;
  sensors: ReactNode;
}

/** Everything about one plant, in three tabs. */
export function PlantDetail({ shown, onClose, returnFocusTo, ...rest }: PlantDetailProps) {
  const dialog = { onClose, returnFocusTo };
  if (!shown) {
    return (
      <Sheet title="Plant" subtitle="Details of a plant" {...dialog}>
        <div className={styles.nothing}>
          <NoPlant isKnown={shown === null} onClose={onClose} />
        </div>
      </Sheet>
    );
  }
  const { plant } = shown;
  const { tab, onTab, onEdit, onDelete, status, waterNow, sensors } = rest;
  return (
    <Sheet
      title={plant.nickname}
      subtitle={[plant.actualName, plant.location].filter(Boolean).join(' · ')}
      picture={<img className={styles.picture} src={pictureUrl(plant.image)} alt="" />}
      {...dialog}
    >
      <Tabs
        label={`Details of ${plant.nickname}`}
        open={tab}
        onOpen={onTab}
        tabs={[
          {
            name: 'overview',
            label: 'Overview',
            content: <PlantOverview {...{ shown, status, waterNow, onEdit, onDelete }} />,
          },
          { name: 'sensors', label: 'Sensor Data', content: sensors },
          {
            name: 'care',
            label: 'Care Settings',
            content: <PlantCareSettings {...{ shown, onEdit, onClose }} />,
          },
        ]}
      />
    </Sheet>
  );
}

/** A link may name a plant that has not come yet, or that is gone. */
function NoPlant({ isKnown, onClose }: { isKnown: boolean; onClose: () => void }) {
  const db = useDb();
  const load = useFirstLoad();
  if (load === 'failed') {
    return (
      <EmptyState title="Failed to load plant data" isError>
        <Button onClick={() => loadAgain(db)}>Try Again</Button>
      </EmptyState>
    );
  }
  if (!isKnown || load === 'loading') return <Spinner label="Loading plant..." />;
  return (
    <EmptyState title="This plant is not in your collection">
      <p>It may have been deleted, perhaps on another device.</p>
      <Button onClick={onClose}>Close</Button>
    </EmptyState>
  );
}
