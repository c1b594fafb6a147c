import { CloudUpload, Droplet, TriangleAlert } from 'lucide-react';
import { useNow } from '#client/ui/use-now.ts';
import { isDue, wateringStatusText } from '#domain/watering/schedule.ts';
import type { PlantView } from '../plant-view.ts';
import styles from './plant-status.module.css';

/** 'Water now!', 'Tomorrow' or 'In N days', updated as time passes; nothing without a known date. */
export function WateringStatus({ nextWatering }: { nextWatering: string | null }) {
  const now = useNow();
  const text = wateringStatusText(nextWatering, now);
  if (text === '') return null;
  return (
    <span className={isDue(nextWatering, now) ? styles.due : styles.later}>
      <Droplet aria-hidden size={14} /> <span>{text}</span>
    </span>
  );
}

/** Says whether changes of a plant wait or were rejected. `iconSize` is in CSS pixels; without it there is no icon. */
export function ChangeStatus({
  view: { isWaiting, isRejected },
  iconSize,
}: {
  view: PlantView;
  iconSize?: number;
}) {
  return (
    <>
      {isWaiting && (
        <span className={styles.waiting}>
          {iconSize && <CloudUpload aria-hidden size={iconSize} />} Waiting to be sent
        </span>
      )}
      {isRejected && (
        <span className={styles.rejected}>
          {iconSize && <TriangleAlert aria-hidden size={iconSize} />} Could not be saved
        </span>
      )}
    </>
  );
}
