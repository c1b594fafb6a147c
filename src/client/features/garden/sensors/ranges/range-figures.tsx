import { useMemo, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import { Banner } from '#client/ui/feedback/banner.tsx';
import type { Plant, Range } from '#domain/plant/plant.ts';
import {
  type BucketSeries,
  type BucketSummary,
  bucketSummary,
  shortBucketText,
} from '#domain/reading/bucket-series.ts';
import { measureScales, measureText } from '#domain/reading/optimal-range.ts';
import { type RangeName, ranges } from '#domain/reading/ranges.ts';
import type { Measure } from '#domain/reading/reading.ts';
import type { TimeZone } from '#domain/zone.ts';
import { EmptyFigure, MeasureFigure, MeasureFigures } from '../measure-figure.tsx';
import { rangePlot } from './range-plot.ts';
import { bucketValueText } from './range-table.tsx';

interface RangeFiguresProps {
  series: BucketSeries;
  range: RangeName;
  thresholds: Plant['thresholds'];
}

/** One chart per measure, with a shared crosshair. */
export function RangeFigures({ series, range, thresholds }: RangeFiguresProps) {
  const [picked, pick] = useState<number | null>(null);
  return (
    <MeasureFigures
      render={(measure) => (
        <RangeFigure
          key={measure}
          measure={measure}
          series={series}
          range={range}
          threshold={thresholds[measureScales[measure].threshold]}
          // A newer series may have fewer buckets.
          picked={picked === null ? null : Math.min(picked, series.count - 1)}
          onPick={pick}
        />
      )}
    />
  );
}

interface RangeFigureProps {
  measure: Measure;
  series: BucketSeries;
  range: RangeName;
  threshold: Range;
  /** The bucket under the crosshair. */
  picked: number | null;
  onPick: (index: number | null) => void;
}

function RangeFigure({ measure, series, range, threshold, picked, onPick }: RangeFigureProps) {
  const zone = useZone();
  const plot = useMemo(
    () => rangePlot(measure, series, threshold, zone),
    [measure, series, threshold, zone],
  );
  const summary = useMemo(() => bucketSummary(series[measure]), [measure, series]);
  if (!summary) {
    return (
      <EmptyFigure measure={measure}>
        <Banner look="info">No data in this range</Banner>
      </EmptyFigure>
    );
  }
  return (
    <MeasureFigure
      measure={measure}
      plot={plot}
      extent={summary}
      picked={picked}
      pickedText={valueText(measure, series, picked ?? series.count - 1, zone)}
      onPick={onPick}
      sentence={rangeSentence(measure, series, range, summary)}
      isReadoutBelow
    />
  );
}

/** A bucket's mean with its lowest and highest value, and its time. */
function valueText(measure: Measure, series: BucketSeries, index: number, zone: TimeZone): string {
  const value = bucketValueText(measure, series[measure], index) ?? 'Not reported';
  return `${value} · ${shortBucketText(series, index, zone)}`;
}

/** Describes a chart in words for screen readers. */
function rangeSentence(
  measure: Measure,
  series: BucketSeries,
  range: RangeName,
  { latest, lowest, highest, count }: BucketSummary,
): string {
  const watered = series.waterings.count.reduce((sum, number) => sum + number, 0);
  return [
    `${measureScales[measure].name} in ${ranges[range].long}: latest ${measureText(measure, latest)},`,
    `lowest ${measureText(measure, lowest)}, highest ${measureText(measure, highest)}.`,
    `Reported in ${count} of ${series.count} intervals.`,
    ...(watered > 0 ? [`Watered ${watered === 1 ? 'once' : `${watered} times`}.`] : []),
  ].join(' ');
}
