import { useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import {
  type BucketSeries,
  type BucketWaterings,
  bucketText,
  type MeasureSeries,
  wateringsByBucket,
} from '#domain/reading/bucket-series.ts';
import { measureScales, spreadText } from '#domain/reading/optimal-range.ts';
import { type Measure, measures } from '#domain/reading/reading.ts';
import { numberText } from '#domain/text.ts';
import styles from './range-table.module.css';

/** The values of the charts as a table, newest first, without empty buckets. Rendered only while it is open. */
export function RangeTable({ series, caption }: { series: BucketSeries; caption: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={styles.details}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>Show as table</summary>
      {isOpen && <Table series={series} caption={caption} />}
    </details>
  );
}

function Table({ series, caption }: { series: BucketSeries; caption: string }) {
  const zone = useZone();
  const waterings = wateringsByBucket(series);
  const filled = Array.from({ length: series.count }, (_, i) => i)
    .filter((i) => waterings[i] || measures.some((measure) => isReported(series, measure, i)))
    .reverse();
  return (
    // Scrolls by the arrow keys, so it must be focusable.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
    <section className={styles.scroll} aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}. Mean, and lowest to highest.</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {measures.map((measure) => (
              <th key={measure} scope="col">
                {measureScales[measure].name}
              </th>
            ))}
            <th scope="col">Watered</th>
          </tr>
        </thead>
        <tbody>
          {filled.map((i) => (
            <tr key={i}>
              <th scope="row">{bucketText(series, i, zone)}</th>
              {measures.map((measure) => (
                <td key={measure}>{bucketValueText(measure, series[measure], i) ?? '–'}</td>
              ))}
              <td>{wateredText(waterings[i])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function isReported(series: BucketSeries, measure: Measure, index: number): boolean {
  return typeof series[measure].mean[index] === 'number';
}

function wateredText(waterings: BucketWaterings | undefined): string {
  if (!waterings) return '';
  const times = waterings.count === 1 ? 'Once' : `${waterings.count} times`;
  return waterings.ml === null ? times : `${times}, ${numberText(waterings.ml)} ml`;
}

/** A bucket's mean, lowest and highest value as text; null if the measure was not reported. */
export function bucketValueText(
  measure: Measure,
  { min, max, mean }: MeasureSeries,
  index: number,
): string | null {
  const [low, middle, high] = [min[index] ?? null, mean[index] ?? null, max[index] ?? null];
  if (low === null || middle === null || high === null) return null;
  return spreadText(measure, middle, low, high);
}
