import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { rangePlot } from '#client/features/garden/sensors/ranges/range-plot.ts';
import { trendPlot } from '#client/features/garden/sensors/trend-plot.ts';
import type { Plot } from '#client/ui/layout/chart.tsx';
import type { BucketSeries, MeasureSeries } from '#domain/reading/bucket-series.ts';
import { measures } from '#domain/reading/reading.ts';
import { defaultZone } from '#domain/zone.ts';
import { notePainted } from './painted.ts';
import { moments, sensorMonth } from './sensor-month.ts';

/** `/latest`: 24 readings. Anything else: a year in 184 buckets, with a watering every week. */
const isLatest = location.pathname.startsWith('/latest');
const readings = isLatest ? 24 : 184;

const columns = Object.fromEntries(
  measures.map((measure) => [measure, sensorMonth[measure].values.slice(-readings)]),
) as Record<keyof typeof sensorMonth, number[]>;
const trend = { moments: moments.slice(-readings), ...columns };

const spread = (mean: number[]): MeasureSeries => ({
  mean,
  min: mean.map((value, i) => value - 1 - (i % 3)),
  max: mean.map((value, i) => value + 1 + (i % 3)),
});
const stepMs = 2 * 86_400_000;
const start = Date.UTC(2026, 0, 1);
const weeks = Array.from({ length: 52 }, (_, i) => new Date(start + i * 7 * 86_400_000));
const series: BucketSeries = {
  start: new Date(start).toISOString(),
  step_seconds: stepMs / 1000,
  count: readings,
  soil_humidity: spread(columns.soil_humidity),
  air_humidity: spread(columns.air_humidity),
  temperature: spread(columns.temperature),
  luminance: spread(columns.luminance),
  waterings: {
    at: weeks.map((week) => week.toISOString()),
    amount_ml: weeks.map(() => 100),
    source: weeks.map(() => 'auto'),
    count: weeks.map(() => 1),
  },
};

const boxes = [...document.querySelectorAll<HTMLElement>('.chart')];

notePainted(() => {
  for (const [i, measure] of measures.entries()) {
    const box = boxes[i];
    if (!box) throw new Error('an element for a chart is missing');
    const { threshold } = sensorMonth[measure];
    const { options, data }: Plot = isLatest
      ? trendPlot(measure, trend, threshold, [], defaultZone)
      : rangePlot(measure, series, threshold, defaultZone);
    new uPlot({ ...options, width: box.clientWidth, height: box.clientHeight }, data, box);
  }
});
