import { Chart, LinearScale, LineController, LineElement, PointElement } from 'chart.js';
import { notePainted } from '../pages/painted.ts';
import { moments, sensorMonth } from '../pages/sensor-month.ts';

Chart.register(LinearScale, LineController, LineElement, PointElement);

const clock = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

/** The optimal range behind the line. */
const band = {
  id: 'band',
  beforeDatasetsDraw({ ctx, chartArea, scales }, _, { min, max }) {
    const top = scales.y.getPixelForValue(max);
    ctx.fillStyle = '#dcefdf';
    ctx.fillRect(chartArea.left, top, chartArea.width, scales.y.getPixelForValue(min) - top);
  },
};

const boxes = [...document.querySelectorAll('.chart')];

// As Chart.js's own page on performance advises: no parsing, no sorting, no animation, no points.
notePainted(() => {
  for (const [i, { values, threshold }] of Object.values(sensorMonth).entries()) {
    const canvas = document.createElement('canvas');
    canvas.width = 390;
    canvas.height = 120;
    boxes[i].append(canvas);
    new Chart(canvas, {
      type: 'line',
      data: {
        datasets: [
          {
            data: moments.map((x, at) => ({ x, y: values[at] })),
            borderColor: '#2f7d4f',
            borderWidth: 2,
            pointRadius: 0,
          },
        ],
      },
      options: {
        responsive: false,
        animation: false,
        parsing: false,
        normalized: true,
        events: [],
        scales: {
          x: {
            type: 'linear',
            min: moments[0],
            max: moments.at(-1),
            grid: { display: false },
            ticks: { maxTicksLimit: 5, maxRotation: 0, callback: (value) => clock.format(value) },
          },
          y: { ticks: { maxTicksLimit: 5, callback: (value) => compact.format(value) } },
        },
        plugins: { band: threshold },
      },
      plugins: [band],
    });
  }
});
