import { expect, test } from 'vitest';
import { plotOf } from './support/results/plot.ts';

const growth = {
  title: 'More <plants>',
  xLabel: 'plants',
  yLabel: 'times 24',
  xs: [10, 100, 1_000],
  series: [
    { name: 'start', ys: [1, 1.5, 2] },
    { name: 'search & find', ys: [1, 2, 4] },
  ],
};

const pointsOf = (svg: string, series: number) =>
  [...svg.matchAll(new RegExp(`class="d${series}" cx="([\\d.]+)" cy="([\\d.]+)"`, 'g'))].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );

test('the x axis of a plot is logarithmic, and its y axis is linear', () => {
  const svg = plotOf(growth);
  const [[left, one], [middle], [right, four]] = pointsOf(svg, 1) as [
    readonly [number, number],
    readonly [number, number],
    readonly [number, number],
  ];
  const two = pointsOf(svg, 0)[2]?.[1] ?? Number.NaN;
  expect(middle - left).toBeCloseTo(right - middle, 0);
  expect((two - four) / (one - two)).toBeCloseTo(2, 1);
});

test('a plot contains its axis labels, its HTML-escaped title and series names, and styles for the dark theme', () => {
  const svg = plotOf(growth);
  for (const words of ['plants', 'times 24', 'start', 'search &amp; find', '1K']) {
    expect(svg).toContain(`>${words}</text>`);
  }
  expect(svg).toContain('More &lt;plants&gt;');
  expect(svg).toContain('prefers-color-scheme:dark');
});
