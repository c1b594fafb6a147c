import type uPlot from 'uplot';
import { formatMoment } from '#domain/dates.ts';
import { stretchesOf } from '#domain/reading/bucket-series.ts';
import { monthlyFromMs, roundMoments, roundTicks } from '#domain/reading/chart-range.ts';
import { dayMs } from '#domain/time.ts';
import type { TimeZone } from '#domain/zone.ts';
import { tokenColour } from './draw-trend.ts';

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

/**
 * A time axis. `ticksOf` chooses the ticks (ms) between two times, at most `most`, which is how many labels fit into
 * the plot's width.
 */
function timeAxisWith(
  zone: TimeZone,
  ticksOf: (from: number, to: number, most: number, zone: TimeZone) => number[],
  text: (moment: number, spanMs: number) => string,
): uPlot.Axis {
  return {
    ...quiet,
    size: timeHeight,
    // Room for the lowest label of the value axis, half of which is below the plot.
    gap: 8,
    splits: (plot, _, from, to) => {
      const width = plot.width - axisWidth;
      // The last label needs room for half its width to the right of its tick.
      const lastFit = to - ((to - from) * tickWidth) / 2.5 / width;
      return ticksOf(from, lastFit, Math.floor(width / tickWidth), zone);
    },
    values: ({ scales }, moments) => {
      const span = (scales.x?.max ?? 0) - (scales.x?.min ?? 0);
      return moments.map((moment) => text(moment, span));
    },
  };
}

/** The time axis of the newest readings. Its labels are times of day. */
export function timeAxis(zone: TimeZone): uPlot.Axis {
  return timeAxisWith(zone, roundMoments, (moment) => formatMoment(moment, 'time', zone));
}

/** The time axis of a range of any length. Its labels are times of day, days or months. */
export function dateAxis(zone: TimeZone): uPlot.Axis {
  return timeAxisWith(zone, roundTicks, (moment, span) => {
    if (span < 3 * dayMs) return formatMoment(moment, 'time', zone);
    return formatMoment(moment, span < monthlyFromMs ? 'day' : 'month', zone);
  });
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
