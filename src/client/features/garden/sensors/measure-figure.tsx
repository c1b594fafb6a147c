import type { ReactNode } from 'react';
import { VisuallyHidden } from '#client/ui/feedback/screen-reader.tsx';
import { Chart, type Plot } from '#client/ui/layout/chart.tsx';
import { measureScales, measureText } from '#domain/reading/optimal-range.ts';
import { type Measure, measures } from '#domain/reading/reading.ts';
import styles from './measure-figure.module.css';
import { chartHeight } from './plot-parts.ts';

/** The figures of all measures, side by side where there is room. */
export function MeasureFigures({ render }: { render: (measure: Measure) => ReactNode }) {
  return <div className={styles.figures}>{measures.map(render)}</div>;
}

interface MeasureFigureProps {
  measure: Measure;
  plot: Plot;
  /** The lowest and the highest value, shown as text while no index is picked. */
  extent: { lowest: number; highest: number };
  /** The index under the crosshair. */
  picked: number | null;
  /** The value and time at the crosshair; without one, at the chart's last index. */
  pickedText: string;
  onPick: (index: number | null) => void;
  /** Describes the chart in words for screen readers. */
  sentence: string;
  /**
   * Shows the values on a line of their own. Beside the name, a long text would wrap and move the charts when a value
   * is picked.
   */
  isReadoutBelow?: boolean;
}

/** The chart of a measure, with its values as text. */
export function MeasureFigure(props: MeasureFigureProps) {
  const { measure, plot, extent, picked, pickedText, onPick, sentence, isReadoutBelow } = props;
  const { name } = measureScales[measure];
  return (
    <Frame
      name={name}
      readout={
        <span className={styles.readout} data-below={isReadoutBelow || undefined}>
          {picked === null ? extentText(measure, extent) : pickedText}
        </span>
      }
    >
      <Chart
        plot={plot}
        height={chartHeight}
        label={`${name} at a moment`}
        picked={picked}
        pickedText={pickedText}
        onPick={onPick}
      />
      <VisuallyHidden>{sentence}</VisuallyHidden>
    </Frame>
  );
}

/** In place of a chart: why there is none. */
export function EmptyFigure({ measure, children }: { measure: Measure; children: ReactNode }) {
  return <Frame name={measureScales[measure].name}>{children}</Frame>;
}

function Frame({
  name,
  readout,
  children,
}: {
  name: string;
  readout?: ReactNode;
  children: ReactNode;
}) {
  return (
    <figure className={styles.figure} aria-label={`${name} trend`}>
      <figcaption>
        {name}
        {readout}
      </figcaption>
      {children}
    </figure>
  );
}

/** '38 % to 45 %', or '38 %' if both are the same. */
function extentText(measure: Measure, { lowest, highest }: MeasureFigureProps['extent']): string {
  const [low, high] = [measureText(measure, lowest), measureText(measure, highest)];
  return low === high ? low : `${low} to ${high}`;
}
