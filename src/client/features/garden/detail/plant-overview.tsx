import { Pencil, Power, Trash2, TriangleAlert } from 'lucide-react';
import { Button } from '#client/ui/form/button.tsx';
import { healthText, isHealthy } from '#domain/plant/health.ts';
import { SaveMarks } from '../card/save-marks.tsx';
import { WateringStatus } from '../card/watering-status.tsx';
import type { PlantDetails } from '../use-garden.ts';
import { WaterNow } from '../water/water-now.tsx';
import { DetailSection, FactList } from './detail-section.tsx';
import layout from './plant-dialog.module.css';
import { careRequirements, plantInformation, trackingInformation } from './plant-facts.ts';
import styles from './plant-overview.module.css';

interface PlantOverviewProps {
  view: PlantDetails;
  onEdit?: (() => void) | undefined;
  onDelete?: (() => void) | undefined;
}

/** The first tab: what the plant needs now, then its details. */
export function PlantOverview({ view, onEdit, onDelete }: PlantOverviewProps) {
  const { plant, wateringNote } = view;
  const health = plant.iotIntegration.healthStatus;
  return (
    <div className={layout.tab}>
      <div className={styles.now}>
        <p className={styles.states}>
          <WateringStatus nextWatering={plant.tracking.nextWateringDate} />
          <span data-health={health}>
            {!isHealthy(health) && <TriangleAlert aria-hidden size={16} />} {healthText(health)}
          </span>
          <SaveMarks view={view} iconSize={16} />
        </p>
        <WaterNow view={view} />
      </div>
      <AutoWatering isOn={plant.iotIntegration.autoWateringEnabled} note={wateringNote} />
      <FactList title="Plant information" facts={plantInformation(plant)} />
      <FactList title="Care requirements" facts={careRequirements(plant)} />
      <FactList title="Tracking information" facts={trackingInformation(plant)} />
      <DetailSection title="Notes">
        <p className={styles.notes}>{plant.description || 'No notes yet.'}</p>
      </DetailSection>
      <div className={layout.actions}>
        {onEdit && (
          <Button look="quiet" onClick={onEdit}>
            <Pencil aria-hidden size={18} /> Edit Plant
          </Button>
        )}
        {onDelete && (
          <Button look="quiet" className={styles.delete} onClick={onDelete}>
            <Trash2 aria-hidden size={18} /> Delete
          </Button>
        )}
      </div>
    </div>
  );
}

function AutoWatering({ isOn, note }: { isOn: boolean; note: string | null }) {
  return (
    <div className={styles.auto} data-on={isOn || undefined}>
      <Power aria-hidden size={20} />
      <div>
        <p>
          Auto-watering <strong>{isOn ? 'on' : 'off'}</strong>
        </p>
        {note && <p className={styles.note}>{note}</p>}
      </div>
    </div>
  );
}
