import { useMemo, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { formatMoment } from '#domain/dates.ts';
import type { Plant, Range } from '#domain/plant/plant.ts';
import { measureScales, measureText } from '#domain/reading/optimal-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import {
  type ReadingTrend,
  type TrendSummary,
  trendSummary,
  trendWindow,
} from '#domain/reading/trend.ts';
import type { TimeZone } from '#domain/zone.ts';
import styles from './measure-figure.module.css';
import { EmptyFigure, MeasureFigure, MeasureFigures } from './measure-figure.tsx';
import { chartHeight } from './plot-parts.ts';
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
    <MeasureFigures
      render={(measure) => (
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
      )}
    />
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
      <EmptyFigure measure={measure}>
        {areLoading ? (
          <p className={styles.loading} style={{ height: chartHeight }}>
            Loading readings...
          </p>
        ) : (
          <Banner look="info">No sensor data available</Banner>
        )}
      </EmptyFigure>
    );
  }
  return (
    <MeasureFigure
      measure={measure}
      plot={plot}
      extent={summary}
      picked={picked}
      pickedText={readingText(props, picked ?? trend.moments.length - 1, zone)}
      onPick={onPick}
      sentence={trendSentence(measure, trend, summary, waterings, zone)}
    />
  );
}

function readingText({ measure, trend }: TrendFigureProps, index: number, zone: TimeZone): string {
  const value = trend[measure][index] ?? null;
  const text = value === null ? 'Not reported' : measureText(measure, value);
  return `${text} · ${formatMoment(trend.moments[index] ?? Number.NaN, 'dateTime', zone)}`;
}

/** Describes a chart in words for screen readers. */
function trendSentence(
  measure: Measure,
  trend: ReadingTrend,
  { latest, lowest, highest, outCount, count }: TrendSummary,
  waterings: readonly number[],
  zone: TimeZone,
): string {
  const text = (value: number) => measureText(measure, value);
  const at = (moment: number) => formatMoment(moment, 'dateTime', zone);
  const { min, max } = trendWindow(trend.moments, waterings);
  const moments = trend.moments.filter((_, index) => trend[measure][index] != null);
  const watered = waterings.filter((moment) => moment >= min && moment <= max).map(at);
  return [
    `${measureScales[measure].name}: latest ${text(latest)}, lowest ${text(lowest)}, highest ${text(highest)}.`,
    `${count} ${count === 1 ? 'reading' : 'readings'} from ${at(moments[0] ?? Number.NaN)} to ${at(moments.at(-1) ?? Number.NaN)},`,
    outCount === 0 ? 'all in the optimal range.' : `${outCount} out of the optimal range.`,
    ...(watered.length > 0 ? [`Watered ${watered.join(' and ')}.`] : []),
  ].join(' ');
}
