import { Pencil } from 'lucide-react';
import { Button } from '#client/ui/form/button.tsx';
import type { PlantDetails } from '../use-garden.ts';
import { FactList } from './detail-section.tsx';
import layout from './plant-dialog.module.css';
import { careRequirements, sensorThresholds } from './plant-facts.ts';

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
