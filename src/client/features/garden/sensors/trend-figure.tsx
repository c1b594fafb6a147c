import { useMemo } from 'react';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { Chart } from '#client/ui/layout/chart.tsx';
import { VisuallyHidden } from '#client/ui/layout/visually-hidden.tsx';
import type { Range } from '#domain/plant/plant.ts';
import { measureScales, measureText } from '#domain/reading/optimal-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import { type ReadingTrend, type TrendSummary, trendSummary } from '#domain/reading/trend.ts';
import { formatMoment } from '#domain/time.ts';
import styles from './trend-figures.module.css';
import { trendPlot } from './trend-plot.ts';
import { trendSentence } from './trend-sentence.ts';

/** CSS pixels (spec section 9). */
const chartHeight = 120;

interface TrendFigureProps {
  measure: Measure;
  trend: ReadingTrend;
  threshold: Range;
  waterings: readonly number[];
  /** Readings may still arrive, so an empty chart does not say that there are none. */
  areLoading: boolean;
  /** The index of the reading under the crosshair. */
  picked: number | null;
  onPick: (index: number | null) => void;
}

export function TrendFigure(props: TrendFigureProps) {
  const { measure, trend, threshold, waterings, areLoading, picked, onPick } = props;
  const { name } = measureScales[measure];
  const plot = useMemo(
    () => trendPlot(measure, trend, threshold, waterings),
    [measure, trend, threshold, waterings],
  );
  const summary = useMemo(
    () => trendSummary(trend[measure], threshold),
    [measure, trend, threshold],
  );
  if (!summary) {
    return (
      <figure className={styles.figure} aria-label={`${name} trend`}>
        <figcaption>{name}</figcaption>
        {areLoading ? (
          <p className={styles.loading} style={{ height: chartHeight }}>
            Loading readings...
          </p>
        ) : (
          <Banner look="info">No sensor data available</Banner>
        )}
      </figure>
    );
  }
  const pickedText = readingText(props, picked ?? trend.moments.length - 1);
  return (
    <figure className={styles.figure} aria-label={`${name} trend`}>
      <figcaption>
        {name}
        <span className={styles.readout}>
          {picked === null ? reachText(measure, summary) : pickedText}
        </span>
      </figcaption>
      <Chart
        plot={plot}
        height={chartHeight}
        label={`${name} at a moment`}
        picked={picked}
        pickedText={pickedText}
        onPick={onPick}
      />
      <VisuallyHidden>{trendSentence(measure, trend.moments, summary, waterings)}</VisuallyHidden>
    </figure>
  );
}

function reachText(measure: Measure, { lowest, highest }: TrendSummary): string {
  const [low, high] = [measureText(measure, lowest), measureText(measure, highest)];
  return low === high ? low : `${low} to ${high}`;
}

function readingText({ measure, trend }: TrendFigureProps, index: number): string {
  const value = trend[measure][index] ?? null;
  const text = value === null ? 'Not reported' : measureText(measure, value);
  return `${text} · ${formatMoment(trend.moments[index] ?? Number.NaN, 'dateTime')}`;
}
