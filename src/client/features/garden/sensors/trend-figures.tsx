import { useState } from 'react';
import type { Plant } from '#domain/plant/plant.ts';
import { measureScales } from '#domain/reading/optimal-range.ts';
import { measures } from '#domain/reading/reading.ts';
import type { ReadingTrend } from '#domain/reading/trend.ts';
import { TrendFigure } from './trend-figure.tsx';
import styles from './trend-figures.module.css';

/** One chart per measure, with a shared crosshair. */
export function TrendFigures({
  trend,
  thresholds,
  waterings,
  areLoading,
}: {
  trend: ReadingTrend;
  thresholds: Plant['thresholds'];
  waterings: readonly number[];
  /** More readings may still arrive. */
  areLoading: boolean;
}) {
  // Kept as a moment, because new readings shift the indexes.
  const [pickedMoment, pick] = useState<number | null>(null);
  const found = pickedMoment === null ? -1 : trend.moments.indexOf(pickedMoment);
  return (
    <div className={styles.figures}>
      {measures.map((measure) => (
        <TrendFigure
          key={measure}
          measure={measure}
          trend={trend}
          threshold={thresholds[measureScales[measure].threshold]}
          waterings={waterings}
          areLoading={areLoading && trend.moments.length === 0}
          picked={found < 0 ? null : found}
          onPick={(index) => pick(index === null ? null : (trend.moments[index] ?? null))}
        />
      ))}
    </div>
  );
}
