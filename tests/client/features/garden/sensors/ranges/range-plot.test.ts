import { expect, test } from 'vitest';
import { rangePlot } from '#client/features/garden/sensors/ranges/range-plot.ts';
import { bucketStart } from '#domain/reading/bucket-series.ts';
import { defaultZone } from '#domain/zone.ts';
import { bucketSeries } from '../../../../../support/bucket-series.ts';

test('the axes of a range contain all of its periods, and the lowest and the highest value', () => {
  const series = bucketSeries('24h');
  series.temperature.min[3] = -20;
  series.temperature.max[4] = 70;
  const { options } = rangePlot('temperature', series, { min: 18, max: 31 }, defaultZone);
  const periods = [bucketStart(series, 0), bucketStart(series, series.count)];
  expect(options.scales?.x?.range).toEqual(periods);
  const [lowest, highest] = [options.scales?.y?.range].flat();
  expect(lowest).toBeLessThanOrEqual(-20);
  expect(highest).toBeGreaterThanOrEqual(70);
});
