import { measureScales, measureText } from '#domain/reading/optimal-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import { type TrendSummary, trendWindow } from '#domain/reading/trend.ts';
import { formatMoment } from '#domain/time.ts';

/** Describes a chart in words for screen readers. */
export function trendSentence(
  measure: Measure,
  moments: readonly number[],
  { latest, lowest, highest, outCount, count }: TrendSummary,
  waterings: readonly number[],
): string {
  const said = (value: number) => measureText(measure, value);
  const at = (moment: number) => formatMoment(moment, 'dateTime');
  const { min, max } = trendWindow(moments, waterings);
  const watered = waterings.filter((moment) => moment >= min && moment <= max).map(at);
  return [
    `${measureScales[measure].name}: latest ${said(latest)}, lowest ${said(lowest)}, highest ${said(highest)}.`,
    `${count} ${count === 1 ? 'reading' : 'readings'} from ${at(moments[0] ?? Number.NaN)} to ${at(moments.at(-1) ?? Number.NaN)},`,
    outCount === 0 ? 'all in the optimal range.' : `${outCount} out of the optimal range.`,
    ...(watered.length > 0 ? [`Watered ${watered.join(' and ')}.`] : []),
  ].join(' ');
}
