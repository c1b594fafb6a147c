import type uPlot from 'uplot';
import type { Plot } from '#client/ui/layout/chart.tsx';
import type { Range } from '#domain/plant/plant.ts';
import { chartRange, roundMoments } from '#domain/reading/chart-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import { type ReadingTrend, trendWindow } from '#domain/reading/trend.ts';
import { formatMoment } from '#domain/time.ts';
import { drawBand, drawWaterings, tokenColour } from './draw-trend.ts';

/** CSS pixels; the same for all measures, so that the time axes of all charts line up. */
const axisWidth = 38;
const timeHeight = 22;
const tickWidth = 66;

/** The plot of one measure: its line, the optimal range as a band behind it, a mark for each watering. */
export function trendPlot(
  measure: Measure,
  trend: ReadingTrend,
  threshold: Range,
  waterings: readonly number[],
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
      axes: [timeAxis, valueAxis],
      series: [{}, line],
      cursor,
      hooks: {
        drawClear: [(plot) => drawBand(plot, threshold)],
        draw: [(plot) => drawWaterings(plot, waterings)],
      },
    },
  };
}

const line: uPlot.Series = {
  width: 2,
  stroke: tokenColour('--leaf'),
  spanGaps: false,
  points: { size: 6, width: 0, fill: tokenColour('--leaf'), filter: isolatedAndLast },
};

const quiet: uPlot.Axis = {
  stroke: tokenColour('--ink-soft'),
  grid: { show: false },
  ticks: { show: false },
  font: '11px system-ui, sans-serif',
};

const timeAxis: uPlot.Axis = {
  ...quiet,
  size: timeHeight,
  // Room for the lowest value's label, half of which is below the axis.
  gap: 8,
  splits: (plot, _, from, to) => {
    const width = plot.width - axisWidth;
    // The last label needs room for half its width to the right of its tick.
    const lastFit = to - ((to - from) * tickWidth) / 2.5 / width;
    return roundMoments(from, lastFit, Math.floor(width / tickWidth));
  },
  values: (_, moments) => moments.map((moment) => formatMoment(moment, 'time')),
};

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

const valueAxis: uPlot.Axis = {
  ...quiet,
  size: axisWidth,
  space: 26,
  gap: 6,
  grid: { stroke: tokenColour('--line'), width: 1 },
  values: (_, values) => values.map((value) => compact.format(value)),
};

/** Turns uPlot's mouse handling off, because the tab moves the crosshair in all charts together. */
const cursor: uPlot.Cursor = {
  y: false,
  drag: { x: false, y: false, setScale: false },
  points: {
    size: 9,
    width: 2,
    stroke: tokenColour('--surface-raised'),
    fill: tokenColour('--leaf'),
  },
  bind: {
    mousedown: () => null,
    mouseup: () => null,
    click: () => null,
    dblclick: () => null,
    mousemove: () => null,
    mouseleave: () => null,
    mouseenter: () => null,
  },
};

/** The indexes that get a dot: the newest value, and values between two gaps, which no line connects. */
function isolatedAndLast(plot: uPlot, series: number): number[] {
  const values = Array.from(plot.data[series] ?? []);
  const last = values.findLastIndex((value) => value !== null);
  return values.flatMap((value, i) => {
    const isIsolated = value !== null && values[i - 1] == null && values[i + 1] == null;
    return isIsolated || i === last ? [i] : [];
  });
}
