import { CloudUpload, Pencil, Power, Trash2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { healthText, isHealthy } from '#domain/health.ts';
import { Button } from '#ui/button.tsx';
import { FactList } from './fact-list.tsx';
import { careRequirements, plantInformation, trackingInformation } from './plant-facts.ts';
import styles from './plant-overview.module.css';
import type { DetailedPlant } from './use-plant.ts';

interface PlantOverviewProps {
  shown: DetailedPlant;
  /** The watering status and the button, which belong to watering. */
  status: ReactNode;
  waterNow: ReactNode;
  onEdit?: (() => void) | undefined;
  onDelete?: (() => void) | undefined;
}

export function PlantOverview({ shown, status, waterNow, onEdit, onDelete }: PlantOverviewProps) {
  const { plant, isWaiting, isRefused, wateringNote } = shown;
  const health = plant.iotIntegration.healthStatus;
  return (
    <div className={styles.overview}>
      <div className={styles.now}>
        <p className={styles.states}>
          {status}
          <span data-health={health}>
            {!isHealthy(health) && <TriangleAlert aria-hidden size={16} />} {healthText(health)}
          </span>
          {isWaiting && (
            <span className={styles.waiting}>
              <CloudUpload aria-hidden size={16} /> Waiting to be sent
            </span>
          )}
          {isRefused && (
            <span className={styles.refused}>
              <TriangleAlert aria-hidden size={16} /> Could not be saved
            </span>
          )}
        </p>
        {waterNow}
      </div>
      <AutoWatering isOn={plant.iotIntegration.autoWateringEnabled} note={wateringNote} />
      <FactList title="Plant information" facts={plantInformation(plant)} />
      <FactList title="Care requirements" facts={careRequirements(plant)} />
      <FactList title="Tracking information" facts={trackingInformation(plant)} />
      <section className={styles.notes}>
        <h3>Notes</h3>
        <p>{plant.description || 'No notes yet.'}</p>
      </section>
      <div className={styles.actions}>
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
