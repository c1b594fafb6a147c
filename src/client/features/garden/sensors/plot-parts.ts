import type uPlot from 'uplot';
import { stretchesOf } from '#domain/reading/bucket-series.ts';
import { roundTicks, tickText } from '#domain/reading/chart-range.ts';
import type { TimeZone } from '#domain/zone.ts';
import { tokenColour } from './draw-marks.ts';

/** CSS pixels (spec section 9). */
export const chartHeight = 120;

/** CSS pixels; the same for all measures, so that the time axes of all charts line up. */
const axisWidth = 38;
const timeHeight = 22;
const tickWidth = 66;

/** The line of readings, with a dot at the newest value and at values that no line connects. */
export const trendLine: uPlot.Series = {
  width: 2,
  stroke: tokenColour('--leaf'),
  spanGaps: false,
  points: { size: 6, width: 0, fill: tokenColour('--leaf'), filter: isolatedAndLast },
};

/** The line of means, which has many more points. */
export const meanLine: uPlot.Series = {
  ...trendLine,
  width: 1.5,
  points: { ...trendLine.points, size: 4, filter: isolated },
};

const quiet: uPlot.Axis = {
  stroke: tokenColour('--ink-soft'),
  grid: { show: false },
  ticks: { show: false },
  font: '11px system-ui, sans-serif',
};

/** The time axis of readings over any period. Its labels are times of day, days or months. */
export function timeAxis(zone: TimeZone): uPlot.Axis {
  return {
    ...quiet,
    size: timeHeight,
    // Room for the lowest label of the value axis, half of which is below the plot.
    gap: 8,
    splits: (plot) => {
      const { from, to, most } = roomForTicks(plot);
      return roundTicks(from, to, most, zone);
    },
    values: (plot, ticks) => {
      const { from, to } = roomForTicks(plot);
      return ticks.map((tick) => tickText(tick, from, to, zone));
    },
  };
}

/** Between which times (ms) a time axis can have ticks, and how many labels fit into the plot's width. */
function roomForTicks({ width, scales }: uPlot): { from: number; to: number; most: number } {
  const { min: from = 0, max: end = 0 } = scales.x ?? {};
  const plotWidth = width - axisWidth;
  // The last label needs room for half its width to the right of its tick.
  const to = end - ((end - from) * tickWidth) / 2.5 / plotWidth;
  return { from, to, most: Math.floor(plotWidth / tickWidth) };
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

export const valueAxis: uPlot.Axis = {
  ...quiet,
  size: axisWidth,
  space: 26,
  gap: 6,
  grid: { stroke: tokenColour('--line'), width: 1 },
  values: (_, values) => values.map((value) => compact.format(value)),
};

/** Disables uPlot's own mouse handling, because `Chart` moves the crosshair in all charts of a plant together. */
export const crosshair: uPlot.Cursor = {
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
  const last = valuesOf(plot, series).findLastIndex((value) => value !== null);
  const dots = isolated(plot, series);
  return last < 0 || dots.includes(last) ? dots : [...dots, last];
}

function isolated(plot: uPlot, series: number): number[] {
  const stretches = stretchesOf(valuesOf(plot, series));
  return stretches.flatMap(([first, last]) => (first === last ? [first] : []));
}

function valuesOf(plot: uPlot, series: number): (number | null)[] {
  return Array.from(plot.data[series] ?? [], (value) => value ?? null);
}
