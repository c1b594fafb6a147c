import {
  Bell,
  CalendarClock,
  EllipsisVertical,
  NotebookPen,
  Pencil,
  Sprout,
  Sun,
  Thermometer,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { memo } from 'react';
import { Menu, type MenuItem } from '#client/ui/overlay/menu.tsx';
import { healthText, isHealthy } from '#domain/plant/health.ts';
import type { Plant } from '#domain/plant/plant.ts';
import { everyDays } from '#domain/watering/schedule.ts';
import { Snooze } from '../../journal/snooze.tsx';
import type { PlantView } from '../plant-view.ts';
import { WaterNow } from '../water/water-now.tsx';
import { LatestLine } from './latest-line.tsx';
import styles from './plant-card.module.css';
import { PlantLink } from './plant-link.tsx';
import { PlantPicture } from './plant-picture.tsx';
import { ChangeStatus, WateringStatus } from './plant-status.tsx';

interface PlantCardProps {
  view: PlantView;
  actions?: PlantActions | undefined;
}

/** The actions of a plant's menu, each called with the plant or its id. An absent one is not offered. */
export interface PlantActions {
  onFertilized?: (plant: Plant) => void;
  onAddEntry?: (id: string) => void;
  onRemind?: (id: string) => void;
  onEdit?: (id: string) => void;
  onDelete?: (id: string) => void;
}

const noActions: PlantActions = {};

/** One plant of a grid. Memoised, so that a change of one plant does not render hundreds of cards again. */
export const PlantCard = memo(function PlantCard({ view, actions = noActions }: PlantCardProps) {
  const { plant } = view;
  const health = plant.iotIntegration.healthStatus;
  // A plant without a device has its own id as device ID (spec section 3).
  const hasDevice = plant.deviceId !== plant.id;
  const { min, max } = plant.idealTemperatureRange;
  const facts = [
    ['Watering', CalendarClock, everyDays(plant.wateringFrequency)],
    ['Light', Sun, plant.sunlightRequirements.split(' ')[0]],
    ['Temperature', Thermometer, `${min}–${max} °C`],
  ] as const;
  return (
    <article className={styles.card} aria-labelledby={`plant-${plant.id}`}>
      <PlantLink id={plant.id} label={`Details of ${plant.nickname}`} />
      <div className={styles.picture}>
        <PlantPicture plant={plant} />
        {!isHealthy(health) && (
          <span className={styles.badge} data-health={health}>
            <TriangleAlert aria-hidden size={14} /> <span>{health}</span>
          </span>
        )}
      </div>
      <div className={styles.body}>
        <div className={styles.top}>
          <div className={styles.names}>
            <h3 id={`plant-${plant.id}`}>
              <bdi>{plant.nickname}</bdi>
            </h3>
            <p>
              <bdi>{plant.actualName}</bdi>
            </p>
          </div>
          <PlantMenu plant={plant} actions={actions} />
        </div>
        <div className={styles.states}>
          <WateringStatus nextWatering={plant.tracking.nextWateringDate} />
          <span>{healthText(health)}</span>
          <ChangeStatus view={view} iconSize={14} />
        </div>
        <LatestLine plantKey={plant.id} hasDevice={hasDevice} />
        <ul className={styles.facts} aria-label="Care">
          {facts.map(([name, Icon, text]) => (
            <li key={name} aria-label={`${name}: ${text}`}>
              <Icon aria-hidden size={16} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
        <div className={styles.action}>
          <WaterNow view={view} />
          <Snooze plant={plant} />
        </div>
      </div>
    </article>
  );
});

/** Without any action there is no menu. */
export function PlantMenu({ plant, actions }: { plant: Plant; actions: PlantActions }) {
  const { onFertilized, onAddEntry, onRemind, onEdit, onDelete } = actions;
  const items: MenuItem[] = [];
  if (onFertilized) {
    const icon = <Sprout aria-hidden size={18} />;
    items.push({ label: 'Fertilized', icon, onSelect: () => onFertilized(plant) });
  }
  if (onAddEntry) {
    const icon = <NotebookPen aria-hidden size={18} />;
    items.push({ label: 'Add to history…', icon, onSelect: () => onAddEntry(plant.id) });
  }
  if (onRemind) {
    const icon = <Bell aria-hidden size={18} />;
    items.push({ label: 'Reminders…', icon, onSelect: () => onRemind(plant.id) });
  }
  if (onEdit) {
    const icon = <Pencil aria-hidden size={18} />;
    items.push({ label: 'Edit', icon, onSelect: () => onEdit(plant.id) });
  }
  if (onDelete) {
    const icon = <Trash2 aria-hidden size={18} />;
    items.push({ label: 'Delete', icon, isDanger: true, onSelect: () => onDelete(plant.id) });
  }
  if (items.length === 0) return null;
  return (
    <Menu
      label={`Actions for ${plant.nickname}`}
      icon={<EllipsisVertical aria-hidden size={20} />}
      items={items}
    />
  );
}
