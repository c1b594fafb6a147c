import { plantStats } from '#domain/plant/filter.ts';
import type { PlantView } from '../plant-view.ts';
import styles from './plant-stats.module.css';

export function PlantStats({ plants, now }: { plants: PlantView[]; now: number }) {
  const stats = plantStats(
    plants.map(({ plant }) => plant),
    now,
  );
  const tiles = [
    ['Total Plants', stats.total],
    ['Needs Water', stats.needsWater],
    ['Needs Attention', stats.needsAttention],
    ['Auto-Watered Today', stats.autoWateredToday],
  ] as const;
  return (
    <dl className={styles.strip}>
      {tiles.map(([label, count]) => (
        <div key={label} className={styles.tile}>
          <dt>{label}</dt>
          <dd data-passing>{count}</dd>
        </div>
      ))}
    </dl>
  );
}
