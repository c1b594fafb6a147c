import type { PlantStats as Stats } from '#domain/plant/filter.ts';
import styles from './plant-stats.module.css';

export function PlantStats({ stats }: { stats: Stats }) {
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
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  );
}
