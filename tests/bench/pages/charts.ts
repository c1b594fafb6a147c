import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { trendPlot } from '#client/features/garden/sensors/trend-plot.ts';
import { defaultZone } from '#domain/zone.ts';
import { notePainted } from './painted.ts';
import { moments, sensorMonth } from './sensor-month.ts';

const columns = Object.fromEntries(
  Object.entries(sensorMonth).map(([measure, { values }]) => [measure, values]),
) as Record<keyof typeof sensorMonth, number[]>;
const trend = { moments, ...columns };
const boxes = [...document.querySelectorAll<HTMLElement>('.chart')];

notePainted(() => {
  for (const [i, measure] of (
    ['soil_humidity', 'air_humidity', 'temperature', 'luminance'] as const
  ).entries()) {
    const box = boxes[i];
    if (!box) throw new Error('an element for a chart is missing');
    const { options, data } = trendPlot(
      measure,
      trend,
      sensorMonth[measure].threshold,
      [],
      defaultZone,
    );
    new uPlot({ ...options, width: box.clientWidth, height: box.clientHeight }, data, box);
  }
});
