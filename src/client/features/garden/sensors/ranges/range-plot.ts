import type { Plot } from '#client/ui/layout/chart.tsx';
import type { Range } from '#domain/plant/plant.ts';
import { type BucketSeries, bucketMiddles, bucketStart } from '#domain/reading/bucket-series.ts';
import { chartRange } from '#domain/reading/chart-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import type { TimeZone } from '#domain/zone.ts';
import { drawBand, drawWaterings } from '../draw-trend.ts';
import { crosshair, dateAxis, meanLine, valueAxis } from '../plot-parts.ts';
import { drawSpread } from './draw-spread.ts';

/**
 * The plot of one measure in a range: the mean as a line, minimum to maximum as an area, the optimal range as a band
 * behind them, and the waterings.
 */
export function rangePlot(
  measure: Measure,
  series: BucketSeries,
  threshold: Range,
  zone: TimeZone,
): Plot {
  const values = series[measure];
  const middles = bucketMiddles(series);
  const y = chartRange([...values.min, ...values.max], threshold);
  const waterings = series.waterings.at.map((moment) => Date.parse(moment));
  return {
    data: [middles, values.mean],
    options: {
      legend: { show: false },
      padding: [10, 8, 0, 0],
      scales: {
        x: { time: false, range: [bucketStart(series, 0), bucketStart(series, series.count)] },
        y: { range: [y.min, y.max] },
      },
      axes: [dateAxis(zone), valueAxis],
      series: [{}, meanLine],
      cursor: crosshair,
      hooks: {
        drawClear: [
          (plot) => {
            drawBand(plot, threshold);
            drawSpread(plot, middles, values);
          },
        ],
        draw: [(plot) => drawWaterings(plot, waterings)],
      },
    },
  };
}
