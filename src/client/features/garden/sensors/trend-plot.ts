import type { Plot } from '#client/ui/layout/chart.tsx';
import type { Range } from '#domain/plant/plant.ts';
import { chartRange } from '#domain/reading/chart-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import { type ReadingTrend, trendWindow } from '#domain/reading/trend.ts';
import type { TimeZone } from '#domain/zone.ts';
import { drawBand, drawWaterings } from './draw-marks.ts';
import { crosshair, timeAxis, trendLine, valueAxis } from './plot-parts.ts';

/** The plot of one measure: its line, the optimal range as a band behind it, a mark for each watering. */
export function trendPlot(
  measure: Measure,
  trend: ReadingTrend,
  threshold: Range,
  waterings: readonly number[],
  zone: TimeZone,
): Plot {
  const x = trendWindow(trend.moments, waterings);
  const y = chartRange(trend[measure], threshold);
  return {
    data: [trend.moments, trend[measure]],
    options: {
      legend: { show: false },
      padding: [10, 8, 0, 0],
      scales: {
        x: { time: false, range: [x.min, x.max] },
        y: { range: [y.min, y.max] },
      },
      axes: [timeAxis(zone), valueAxis],
      series: [{}, trendLine],
      cursor: crosshair,
      hooks: {
        drawClear: [(plot) => drawBand(plot, threshold)],
        draw: [(plot) => drawWaterings(plot, waterings)],
      },
    },
  };
}
