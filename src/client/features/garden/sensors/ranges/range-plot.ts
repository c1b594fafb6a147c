import type uPlot from 'uplot';
import type { Plot } from '#client/ui/layout/chart.tsx';
import type { Range } from '#domain/plant/plant.ts';
import {
  type BucketSeries,
  bucketMiddles,
  bucketStart,
  type MeasureSeries,
  stretchesOf,
} from '#domain/reading/bucket-series.ts';
import { chartRange } from '#domain/reading/chart-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import type { TimeZone } from '#domain/zone.ts';
import { drawBand, drawWaterings, tokenColour } from '../draw-marks.ts';
import { crosshair, meanLine, timeAxis, valueAxis } from '../plot-parts.ts';

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
      axes: [timeAxis(zone), valueAxis],
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

/** Draws the area between minimum and maximum, with a gap where the measure was not reported. */
function drawSpread(plot: uPlot, middles: readonly number[], series: MeasureSeries): void {
  const { ctx } = plot;
  const [toX, toY] = [pixelConverter(plot, 'x'), pixelConverter(plot, 'y')];
  const lefts = middles.map(toX);
  const tops = series.max.map((value) => toY(value ?? 0));
  const bottoms = series.min.map((value) => toY(value ?? 0));
  const to = (edge: readonly number[], i: number) => ctx.lineTo(lefts[i] ?? 0, edge[i] ?? 0);
  const halfWidth = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = tokenColour('--leaf')(plot);
  ctx.globalAlpha = 0.28;
  ctx.beginPath();
  for (const [first, last] of stretchesOf(series.mean)) {
    const [left = 0, top = 0, bottom = 0] = [lefts[first], tops[first], bottoms[first]];
    if (first === last) {
      // A single bucket between two gaps has no area.
      ctx.rect(left - halfWidth, top, 2 * halfWidth, bottom - top);
      continue;
    }
    ctx.moveTo(left, top);
    for (let i = first + 1; i <= last; i += 1) to(tops, i);
    for (let i = last; i >= first; i -= 1) to(bottoms, i);
    ctx.closePath();
  }
  ctx.fill();
  ctx.restore();
}

/** Converts values to canvas pixels. Much faster than asking uPlot for each. */
function pixelConverter(plot: uPlot, scale: 'x' | 'y'): (value: number) => number {
  const { min = 0, max = 1 } = plot.scales[scale] ?? {};
  const [from, to] = [min, max].map((value) => plot.valToPos(value ?? 0, scale, true));
  const perUnit = ((to ?? 0) - (from ?? 0)) / ((max ?? 1) - (min ?? 0));
  return (value) => (from ?? 0) + (value - (min ?? 0)) * perUnit;
}
