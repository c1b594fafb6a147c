import { Droplet } from 'lucide-react';
import { useNow } from '#client/ui/use-now.ts';
import { isDue, wateringStatusText } from '#domain/watering/schedule.ts';
import styles from './watering-status.module.css';

/** 'Water now!', 'Tomorrow' or 'In N days', updated as time passes. */
export function WateringStatus({ nextWatering }: { nextWatering: string | null }) {
  const now = useNow();
  const text = wateringStatusText(nextWatering, now);
  if (text === '') return null;
  return (
    <span className={isDue(nextWatering, now) ? styles.due : styles.later}>
      <Droplet aria-hidden size={14} /> {text}
    </span>
  );
}
