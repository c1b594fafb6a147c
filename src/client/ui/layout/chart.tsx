import 'uplot/dist/uPlot.min.css';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import styles from './chart.module.css';

export interface Plot {
  options: Omit<uPlot.Options, 'width' | 'height'>;
  /** The first column is x, ascending. */
  data: [number[], ...(number | null)[][]];
}

/** A position outside of the chart, where no crosshair is drawn. CSS pixels. */
const offChart = { left: -10, top: -10 };

interface ChartProps {
  /** A new object recreates the chart, so keep its identity while nothing changes. */
  plot: Plot;
  /** CSS pixels */
  height: number;
  /** The crosshair's accessible name. */
  label: string;
  /**
   * The crosshair's position as an index into the data; null: no crosshair. `pickedText` describes the value there, or
   * the last value if there is no crosshair.
   */
  picked: number | null;
  pickedText: string;
  onPick: (index: number | null) => void;
}

/**
 * A chart as wide as its container, in the theme's colours. The crosshair follows mouse, finger and arrow keys. Its
 * position belongs to the caller, so that several charts can share it.
 */
export function Chart({ plot, height, label, picked, pickedText, onPick }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(null);
  useEffect(() => {
    if (!box.current) return;
    const chart = draw(plot, box.current, height);
    drawn.current = chart.plot;
    return chart.destroy;
  }, [plot, height]);
  useEffect(() => {
    const at = picked === null ? undefined : plot.data[0][picked];
    const place =
      at === undefined ? offChart : { left: drawn.current?.valToPos(at, 'x') ?? 0, top: 0 };
    drawn.current?.setCursor(place);
  }, [picked, plot]);

  const last = plot.data[0].length - 1;
  function point(event: PointerEvent): void {
    const chart = drawn.current;
    if (chart) onPick(chart.posToIdx(event.clientX - chart.over.getBoundingClientRect().left));
  }
  function press(event: PointerEvent<HTMLElement>): void {
    // Before it picks, the focus leaves another chart, which then removes the crosshair that they share.
    const isInChart = document.activeElement?.getAttribute('role') === 'slider';
    if (isInChart) event.currentTarget.focus({ preventScroll: true });
    point(event);
  }
  function step(event: KeyboardEvent): void {
    const to = nextIndex(event.key, picked ?? last, last);
    if (to === null) return;
    event.preventDefault();
    onPick(to);
  }
  return (
    <div
      ref={box}
      className={styles.chart}
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={picked ?? last}
      aria-valuetext={pickedText}
      onKeyDown={step}
      onBlur={() => onPick(null)}
      onPointerDown={press}
      onPointerMove={point}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onPick(null)}
      onPointerCancel={() => onPick(null)}
    />
  );
}

function draw({ options, data }: Plot, box: HTMLElement, height: number) {
  const plot = new uPlot({ ...options, width: box.clientWidth, height }, data, box);
  const follow = new ResizeObserver(() => {
    if (box.clientWidth !== plot.width) plot.setSize({ width: box.clientWidth, height });
  });
  follow.observe(box);
  const theme = window.matchMedia('(prefers-color-scheme: dark)');
  const repaint = () => plot.redraw(false);
  theme.addEventListener('change', repaint);
  return {
    plot,
    destroy: () => {
      follow.disconnect();
      theme.removeEventListener('change', repaint);
      plot.destroy();
    },
  };
}

function nextIndex(key: string, from: number, last: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, from - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
