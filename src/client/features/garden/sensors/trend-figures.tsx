import { useMemo, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { VisuallyHidden } from '#client/ui/feedback/screen-reader.tsx';
import { Chart } from '#client/ui/layout/chart.tsx';
import { formatMoment } from '#domain/dates.ts';
import type { Plant, Range } from '#domain/plant/plant.ts';
import { measureScales, measureText } from '#domain/reading/optimal-range.ts';
import { type Measure, measures } from '#domain/reading/reading.ts';
import {
  type ReadingTrend,
  type TrendSummary,
  trendSummary,
  trendWindow,
} from '#domain/reading/trend.ts';
import type { TimeZone } from '#domain/zone.ts';
import { chartHeight } from './plot-parts.ts';
import styles from './trend-figures.module.css';
import { trendPlot } from './trend-plot.ts';

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
  // A time instead of an index, because new readings shift the indexes.
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

function TrendFigure(props: TrendFigureProps) {
  const { measure, trend, threshold, waterings, areLoading, picked, onPick } = props;
  const { name } = measureScales[measure];
  const zone = useZone();
  const plot = useMemo(
    () => trendPlot(measure, trend, threshold, waterings, zone),
    [measure, trend, threshold, waterings, zone],
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
  const pickedText = readingText(props, picked ?? trend.moments.length - 1, zone);
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
      <VisuallyHidden>
        {trendSentence(measure, trend.moments, summary, waterings, zone)}
      </VisuallyHidden>
    </figure>
  );
}

function reachText(measure: Measure, { lowest, highest }: TrendSummary): string {
  const [low, high] = [measureText(measure, lowest), measureText(measure, highest)];
  return low === high ? low : `${low} to ${high}`;
}

function readingText({ measure, trend }: TrendFigureProps, index: number, zone: TimeZone): string {
  const value = trend[measure][index] ?? null;
  const text = value === null ? 'Not reported' : measureText(measure, value);
  return `${text} · ${formatMoment(trend.moments[index] ?? Number.NaN, 'dateTime', zone)}`;
}

/** Describes a chart in words for screen readers. */
function trendSentence(
  measure: Measure,
  moments: readonly number[],
  { latest, lowest, highest, outCount, count }: TrendSummary,
  waterings: readonly number[],
  zone: TimeZone,
): string {
  const said = (value: number) => measureText(measure, value);
  const at = (moment: number) => formatMoment(moment, 'dateTime', zone);
  const { min, max } = trendWindow(moments, waterings);
  const watered = waterings.filter((moment) => moment >= min && moment <= max).map(at);
  return [
    `${measureScales[measure].name}: latest ${said(latest)}, lowest ${said(lowest)}, highest ${said(highest)}.`,
    `${count} ${count === 1 ? 'reading' : 'readings'} from ${at(moments[0] ?? Number.NaN)} to ${at(moments.at(-1) ?? Number.NaN)},`,
    outCount === 0 ? 'all in the optimal range.' : `${outCount} out of the optimal range.`,
    ...(watered.length > 0 ? [`Watered ${watered.join(' and ')}.`] : []),
  ].join(' ');
}
