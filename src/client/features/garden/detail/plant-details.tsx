import { Bell, Pencil, Power, Trash2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useZone } from '#client/session/current.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { healthText, isHealthy } from '#domain/plant/health.ts';
import { Snooze } from '../../journal/snooze.tsx';
import { ChangeStatus, WateringStatus } from '../card/plant-status.tsx';
import type { PlantDetails } from '../use-garden.ts';
import { WaterNow } from '../water/water-now.tsx';
import styles from './plant-details.module.css';
import layout from './plant-dialog.module.css';
import {
  careRequirements,
  plantInformation,
  sensorThresholds,
  trackingInformation,
} from './plant-facts.ts';

interface PlantOverviewProps {
  view: PlantDetails;
  onRemind?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
  onDelete?: (() => void) | undefined;
}

/** The first tab: what the plant needs now, then its details. */
export function PlantOverview({ view, onRemind, onEdit, onDelete }: PlantOverviewProps) {
  const { plant, wateringNote } = view;
  const zone = useZone();
  const health = plant.iotIntegration.healthStatus;
  return (
    <div className={layout.tab}>
      <div className={styles.now}>
        <p className={styles.states}>
          <WateringStatus nextWatering={plant.tracking.nextWateringDate} />
          <span data-health={health}>
            {!isHealthy(health) && <TriangleAlert aria-hidden size={16} />}
            <span>{healthText(health)}</span>
          </span>
          <ChangeStatus view={view} iconSize={16} />
        </p>
        <div className={styles.buttons}>
          <Snooze plant={plant} />
          <WaterNow view={view} />
        </div>
      </div>
      <AutoWatering isOn={plant.iotIntegration.autoWateringEnabled} note={wateringNote} />
      <FactList title="Plant information" facts={plantInformation(plant, zone)} />
      <FactList title="Care requirements" facts={careRequirements(plant)} />
      <FactList title="Tracking information" facts={trackingInformation(plant, zone)} />
      <DetailSection title="Notes">
        <p className={styles.notes}>{plant.description || 'No notes yet.'}</p>
      </DetailSection>
      <div className={layout.actions}>
        {onRemind && (
          <Button look="quiet" onClick={onRemind}>
            <Bell aria-hidden size={18} /> Reminders
          </Button>
        )}
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

/** The third tab: the plant's settings, read-only. */
export function PlantCareSettings({
  view: { plant, deviceId },
  onEdit,
  onClose,
}: {
  view: PlantDetails;
  onEdit?: (() => void) | undefined;
  onClose: () => void;
}) {
  return (
    <div className={layout.tab}>
      <FactList title="Care" facts={careRequirements(plant)} />
      <FactList title="Sensor thresholds" facts={sensorThresholds(plant)} />
      <FactList
        title="Smart features"
        facts={[
          ['Auto-watering', plant.iotIntegration.autoWateringEnabled ? 'On' : 'Off'],
          ['Device', deviceId ?? 'No device'],
        ]}
      />
      <div className={layout.actions}>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        {onEdit && (
          <Button onClick={onEdit}>
            <Pencil aria-hidden size={18} /> Edit Plant
          </Button>
        )}
      </div>
    </div>
  );
}

function DetailSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A section of named facts; facts without a value are left out. */
function FactList({
  title,
  facts,
}: {
  title: string;
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <DetailSection title={title}>
      <dl className={styles.facts}>
        {facts.map(
          ([name, value]) =>
            value !== '' &&
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
    </DetailSection>
  );
}
