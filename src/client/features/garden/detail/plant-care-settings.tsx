import { Pencil } from 'lucide-react';
import { Button } from '#client/ui/form/button.tsx';
import type { DetailedPlant } from '../grid/use-plant.ts';
import layout from './detail-tab.module.css';
import { FactList } from './fact-list.tsx';
import { careRequirements, sensorThresholds } from './plant-facts.ts';

/** What is set for a plant, to read; changing it is the form's work. */
export function PlantCareSettings({
  shown: { plant, deviceId },
  onEdit,
  onClose,
}: {
  shown: DetailedPlant;
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
