import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { CartesianGrid, Line, LineChart, ReferenceArea, XAxis, YAxis } from 'recharts';
import { notePainted } from '../pages/painted.ts';
import { moments, sensorMonth } from '../pages/sensor-month.ts';

const clock = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

function Trend({ data, threshold }) {
  return (
    <LineChart width={390} height={120} data={data}>
      <CartesianGrid vertical={false} />
      <ReferenceArea y1={threshold.min} y2={threshold.max} fill="#dcefdf" />
      <XAxis
        dataKey="at"
        type="number"
        domain={['dataMin', 'dataMax']}
        tickCount={5}
        tickFormatter={(value) => clock.format(value)}
      />
      <YAxis width={38} tickCount={5} tickFormatter={(value) => compact.format(value)} />
      <Line
        dataKey="value"
        type="linear"
        stroke="#2f7d4f"
        strokeWidth={2}
        dot={false}
        isAnimationActive={false}
      />
    </LineChart>
  );
}

const boxes = [...document.querySelectorAll('.chart')];

notePainted(
  () => {
    for (const [i, { values, threshold }] of Object.values(sensorMonth).entries()) {
      const data = moments.map((at, index) => ({ at, value: values[index] }));
      const root = createRoot(boxes[i]);
      flushSync(() => root.render(<Trend data={data} threshold={threshold} />));
    }
  },
  () => document.querySelectorAll('.recharts-line-curve').length === boxes.length,
);
