import { Pencil, Power, Trash2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#client/ui/form/button.tsx';
import { healthText, isHealthy } from '#domain/plant/health.ts';
import { SaveMarks } from '../card/save-marks.tsx';
import type { DetailedPlant } from '../grid/use-plant.ts';
import { DetailSection } from './detail-section.tsx';
import layout from './detail-tab.module.css';
import { FactList } from './fact-list.tsx';
import { careRequirements, plantInformation, trackingInformation } from './plant-facts.ts';
import styles from './plant-overview.module.css';

interface PlantOverviewProps {
  shown: DetailedPlant;
  /** The watering status and the button, which belong to watering. */
  status: ReactNode;
  waterNow: ReactNode;
  onEdit?: (() => void) | undefined;
  onDelete?: (() => void) | undefined;
}

export function PlantOverview({ shown, status, waterNow, onEdit, onDelete }: PlantOverviewProps) {
  const { plant, wateringNote } = shown;
  const health = plant.iotIntegration.healthStatus;
  return (
    <div className={layout.tab}>
      <div className={styles.now}>
        <p className={styles.states}>
          {status}
          <span data-health={health}>
            {!isHealthy(health) && <TriangleAlert aria-hidden size={16} />} {healthText(health)}
          </span>
          <SaveMarks shown={shown} iconSize={16} />
        </p>
        {waterNow}
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
